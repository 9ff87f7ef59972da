test --time-passes
