test --markers
