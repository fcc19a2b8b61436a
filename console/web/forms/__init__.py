"""What people fill in on pages: reads and checks text, and stores nothing itself."""
