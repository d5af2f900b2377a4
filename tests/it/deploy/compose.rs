//! `deploy/compose.yaml`: whole, pinned, and in agreement with the settings of the binary.

use yaml_rust2::{Yaml, YamlLoader};

use crate::tree::{manifest, read};

const SERVICES: &[&str] = &["postgres", "rabbitmq", "migrate", "api", "worker"];

fn compose() -> Yaml {
    let mut documents = YamlLoader::load_from_str(&read("deploy/compose.yaml")).expect("YAML");
    assert_eq!(documents.len(), 1);
    documents.remove(0)
}

fn keys(yaml: &Yaml) -> Vec<&str> {
    yaml.as_hash().into_iter().flat_map(|hash| hash.keys()).filter_map(Yaml::as_str).collect()
}

/// `RECALL__…` names anywhere in a file.
fn settings(text: &str) -> Vec<String> {
    let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    text.split(|c| !is_name(c)).filter(|word| word.starts_with("RECALL__")).map(str::to_owned).collect()
}

#[test]
fn every_service_is_there_and_waits_for_those_it_needs() {
    let compose = compose();
    let services = &compose["services"];
    assert_eq!(keys(services), SERVICES);
    assert_eq!(keys(&services["api"]["depends_on"]), ["migrate", "rabbitmq"]);
    assert_eq!(keys(&services["worker"]["depends_on"]), ["migrate", "rabbitmq"]);
    assert_eq!(services["migrate"]["depends_on"]["postgres"]["condition"].as_str(), Some("service_healthy"));
    for service in ["api", "worker"] {
        let migrated = &services[service]["depends_on"]["migrate"]["condition"];
        assert_eq!(migrated.as_str(), Some("service_completed_successfully"), "{service}");
    }
}

#[test]
fn what_keeps_data_keeps_it_on_a_volume_and_is_watched() {
    let compose = compose();
    let volumes = keys(&compose["volumes"]);
    for service in ["postgres", "rabbitmq"] {
        let service = &compose["services"][service];
        let mount = service["volumes"][0].as_str().unwrap();
        assert!(volumes.contains(&mount.split(':').next().unwrap()), "{mount}");
        assert!(!service["healthcheck"]["test"].is_badvalue());
    }
}

#[test]
fn foreign_images_are_pinned_to_a_version() {
    let compose = compose();
    for service in ["postgres", "rabbitmq"] {
        let image = compose["services"][service]["image"].as_str().unwrap();
        let version = image.rsplit_once(':').map_or("", |(_, version)| version);
        assert!(version.starts_with(|c: char| c.is_ascii_digit()), "{image}");
    }
}

#[test]
fn no_port_but_the_door_is_published_and_that_one_on_this_host_only() {
    let compose = compose();
    for service in SERVICES {
        let ports = &compose["services"][*service]["ports"];
        if *service == "api" {
            assert!(ports[0].as_str().is_some_and(|port| port.starts_with("127.0.0.1:")));
        } else {
            assert!(ports.is_badvalue(), "{service} publishes a port");
        }
    }
}

#[test]
fn a_password_must_be_given_and_stands_in_no_file() {
    let text = read("deploy/compose.yaml");
    for secret in ["POSTGRES_PASSWORD", "RABBITMQ_PASSWORD", "RECALL_KEYS_SECRET", "RECALL_API_KEY"] {
        assert!(text.contains(&format!("${{{secret}:?")), "{secret} needs no value");
    }
}

#[test]
fn every_setting_that_deploy_names_is_one_of_the_binary() {
    const DEFAULTS: &str = "crates/recall/src/config.default.toml";
    let known = manifest(DEFAULTS);
    // Lists without a default are described in a comment.
    let listed = |path: &[String]| read(DEFAULTS).contains(&format!("# [[{}]]", path.join(".")));
    let mut named = 0;
    for file in ["deploy/compose.yaml", "deploy/Dockerfile", "deploy/README.md"] {
        for name in settings(&read(file)) {
            let path: Vec<String> = name.split("__").skip(1).map(str::to_lowercase).collect();
            let top = known.get(path.first().unwrap());
            let found = path.iter().skip(1).try_fold(top, |value, key| value.map(|value| value.get(key)));
            assert!(matches!(found, Some(Some(_))) || listed(&path), "{file}: {name} is no setting");
            named += 1;
        }
    }
    assert!(named > 5, "only {named} settings are named");
}
