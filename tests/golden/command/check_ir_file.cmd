check ../ir/accumulate.ir
