"""Where the graph is kept, and plans as the Cypher that stores run."""
