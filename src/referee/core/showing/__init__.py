"""What a result shows: pictures as data, experiments, and the way to any format."""
