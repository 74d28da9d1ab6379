"""Many questions at once: a grid or a table of questions, asked through any executor, kept in a file."""
