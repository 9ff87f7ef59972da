help run check compile
