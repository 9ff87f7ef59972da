def add(x: f32[8], y: f32[8]):
    return x + y
