test --collect-only -qq
