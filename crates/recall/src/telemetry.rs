//! Logs on standard error, spans to a collector; neither carries words of people, because nothing that holds them is ever a field.

use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{TraceContextExt, TracerProvider as _};
use opentelemetry_otlp::WithExportConfig;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::filter::{EnvFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use crate::config::{LogFormat, TelemetryConfig};

/// Sends what is left when dropped.
pub(crate) struct Telemetry {
    provider: Option<SdkTracerProvider>,
}

impl Drop for Telemetry {
    fn drop(&mut self) {
        if let Some(provider) = &self.provider {
            // The process ends; a collector that is away then has lost the last spans, which are no promise.
            let _sent = provider.shutdown();
        }
    }
}

/// Starts logging, and exporting spans where an endpoint is configured.
///
/// # Errors
/// A filter that cannot be read, an endpoint that is no URL.
pub(crate) fn start(config: &TelemetryConfig) -> anyhow::Result<Telemetry> {
    let mut filter =
        EnvFilter::try_new(&config.log).map_err(|error| anyhow::anyhow!("telemetry.log is no filter: {error}"))?;
    for quiet in recall_broker::rabbit::QUIET {
        filter = filter.add_directive(quiet.parse()?);
    }
    let terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(terminal);
    let lines = match config.format {
        LogFormat::Text => lines.with_target(false).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let provider = exporter(&config.otlp_endpoint)?;
    let ours = Targets::new().with_targets(
        ["recall", "recall_worker", "recall_store", "recall_llm", "recall_broker"]
            .map(|ours| (ours, tracing::Level::INFO)),
    );
    let spans = provider
        .as_ref()
        .map(|provider| tracing_opentelemetry::layer().with_tracer(provider.tracer("recall")).with_filter(ours));
    tracing_subscriber::registry().with(lines.with_filter(filter)).with(spans).init();
    Ok(Telemetry { provider })
}

fn exporter(endpoint: &str) -> anyhow::Result<Option<SdkTracerProvider>> {
    if endpoint.is_empty() {
        return Ok(None);
    }
    // The exporter's client takes the process-wide provider; a second call finds it in place.
    let _first = rustls::crypto::ring::default_provider().install_default();
    let exporter = opentelemetry_otlp::SpanExporter::builder().with_http().with_endpoint(endpoint).build()?;
    let resource = opentelemetry_sdk::Resource::builder().with_service_name("recall").build();
    Ok(Some(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build()))
}

/// Makes a span part of the trace a W3C `traceparent` names.
pub(crate) fn join(span: &Span, traceparent: &str) {
    let carrier = std::collections::HashMap::from([("traceparent".to_owned(), traceparent.to_owned())]);
    // A span that is not exported has no place for a parent, which is no fault.
    let _joined = span.set_parent(TraceContextPropagator::new().extract(&carrier));
}

/// The W3C `traceparent` of a span, where it is exported.
pub(crate) fn traceparent(span: &Span) -> Option<String> {
    let context = span.context();
    if !context.span().span_context().is_valid() {
        return None;
    }
    let mut carrier = std::collections::HashMap::new();
    TraceContextPropagator::new().inject_context(&context, &mut carrier);
    carrier.remove("traceparent")
}
