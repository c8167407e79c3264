"""The settings, read from the environment (prefix ``TRIVIUM_``) and from nowhere else."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Everything that can be set; each has a default that needs no server and no key."""

    model_config = SettingsConfigDict(
        env_prefix="TRIVIUM_", env_file=".env", extra="ignore", frozen=True
    )

    home: Path = Field(Path(".trivium"), description="Where this installation keeps its state.")
    host: str = Field("127.0.0.1", description="The address to listen on.")
    port: int = Field(8080, ge=0, le=65_535, description="The port to listen on.")
    mode: Literal["embedded", "production"] = Field(
        "embedded", description="In production, nothing is served before there is an admin key."
    )
    keys: Path | None = Field(
        None, description="The file of API keys (trivium keys); without it, keys.json in the home."
    )
    key: SecretStr | None = Field(
        None, description="The key that the command line shows to a running service."
    )

    redis_url: str | None = Field(
        None, description="A Redis to use instead of the embedded one, such as redis://host:6379/0."
    )
    redis_prefix: str = Field("trivium:", min_length=1, description="Begins every key in Redis.")
    qdrant_url: str | None = Field(
        None, description="A Qdrant to use instead of the embedded one, such as http://host:6333."
    )
    qdrant_collection: str = Field("trivium", min_length=1, description="The collection to use.")
    graph_url: SecretStr | None = Field(
        None,
        description="Where the graph is kept instead of memory: ladybug:PATH (a file of its own), "
        "or bolt://user:password@host:7687 (Neo4j).",
    )
    database_url: str | None = Field(
        None,
        description="A database for journal and answers instead of SQLite in the home, such as "
        "postgresql+psycopg://user@host/name.",
    )

    encoder_dir: Path = Field(
        Path("models/encoder"), description="The exported encoder (make setup makes it)."
    )
    encoder_precision: Literal["fp32", "int8"] = Field(
        "fp32", description="int8 is twice as quick and moves similarities by about 0.05."
    )
    encoder_threads: int = Field(2, ge=1, le=64, description="Threads for one encoding.")

    router_rules: Path | None = Field(
        None, description="Rules that send questions to fixed tiers: a YAML or JSON file of them."
    )

    router_retrain_after: int = Field(
        50,
        ge=0,
        description="Labels confirmed since the last training at which the router is trained by "
        "itself; 0 for never.",
    )

    templates: Path | None = Field(
        None,
        description="Plans of your own for questions of your own: a folder of YAML or JSON files.",
    )

    anthropic_api_key: SecretStr | None = Field(
        None, description="With a key, Claude writes the answers; without, they are composed."
    )
    anthropic_base_url: str | None = Field(
        None, description="Another server that speaks the Messages API."
    )
    anthropic_model: str = Field("claude-haiku-4-5", description="The model to write with.")
    anthropic_max_tokens: int = Field(1024, ge=1, description="The longest answer it may write.")

    planner: Literal["off", "after", "first"] = Field(
        "after",
        description="With a key, Claude plans what the graph computes: where the reader has no "
        "plan, before it, or never.",
    )
    planner_operators: Literal["nine", "fifteen", "all"] = Field(
        "all", description="What it plans with: all operators, or the paper's 9 or 15."
    )

    deadline_s: float = Field(
        8.0, gt=0, le=120, description="Time for one request that does not say how long it waits."
    )
    max_deadline_s: float = Field(
        60.0, gt=0, le=600, description="The longest that a request may ask to wait."
    )
    max_requests: int = Field(
        256, ge=1, description="Requests and streams open at a time; more are refused with 503."
    )
    max_at_work: int = Field(
        48,
        ge=1,
        description="Questions worked on at a time; others wait for up to half their time.",
    )
    rate_limit: int = Field(
        0,
        ge=0,
        description="Requests a minute for each key, or address without keys; 0 for no limit.",
    )
    memory_ttl_s: int = Field(
        86_400, ge=0, description="How long an answer is remembered; 0 for not at all."
    )
    memory_audit_share: float = Field(
        0.01,
        ge=0,
        le=1,
        description="Of the answers given from memory, how many are made anew afterwards and held "
        "against it; 0 for none.",
    )
    max_body_bytes: int = Field(262_144, ge=1_024, description="The largest request taken.")
    hosts: str = Field(
        "",
        description="Other names that this service is called by than this machine's, with commas "
        "between them, such as trivium.example.com: for /mcp, and for all until there are keys.",
    )
    cors_origins: str = Field(
        "",
        description="Pages of others that browsers may let ask here, with commas between them, "
        "such as http://localhost:6274 of the MCP inspector.",
    )
    graph_max_nodes: int = Field(500, ge=1, description="Entities that one plan may touch.")

    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="What is logged, and above."
    )
    log_format: Literal["text", "json"] = Field("text", description="How it is logged.")
    otlp_endpoint: str | None = Field(
        None,
        description="A collector of traces (OTLP over HTTP), such as http://host:4318; "
        "needs the extra otel.",
    )
