#!/bin/sh
# Run once by the image of PostgreSQL, before anything is stored: the role of the fleet owns its database and nothing else. It is no
# superuser, so that the row-level policies between tenants hold for it.
set -e
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --set password="$POSTGRES_PASSWORD" <<'END'
CREATE ROLE recall LOGIN PASSWORD :'password';
CREATE DATABASE recall OWNER recall;
END
