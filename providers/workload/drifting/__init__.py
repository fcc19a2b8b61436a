"""What others changed on objects of ours: pure, over manifests and objects as they were read."""
