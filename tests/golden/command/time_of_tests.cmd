# status: 4
test --time-passes
