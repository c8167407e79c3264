"""GraphRAG: a question read into a plan of typed operators, and run."""
