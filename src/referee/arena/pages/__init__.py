"""The pages: what people see of an arena. Each calls the engine and nothing beside it."""
