"""RAG: documents, chunked, indexed, retrieved and cited."""
