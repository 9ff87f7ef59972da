run ../ir/accumulate.ir
