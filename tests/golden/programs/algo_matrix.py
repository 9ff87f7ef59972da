# Matrices as lists: products, transposes, determinants by recursion, spirals, game of life.
mul = lambda a, b: [[sum(x * y for x, y in zip(r, c)) for c in zip(*b)] for r in a]
def det(m): return m[0][0] if len(m) == 1 else sum((-1) ** j * m[0][j] * det([r[:j] + r[j + 1:] for r in m[1:]]) for j in range(len(m)))
def spiral(m):
    out = []
    while m:
        out += m.pop(0)
        m = [list(r) for r in zip(*m)][::-1]
    return out
def life(cells):
    near = {}
    for x, y in cells:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx or dy: near[x + dx, y + dy] = near.get((x + dx, y + dy), 0) + 1
    return {c for c, n in near.items() if n == 3 or n == 2 and c in cells}
g = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
for _ in range(4): g = life(g)
print(mul([[1, 2], [3, 4]], [[0, 1], [1, 0]]), det([[2, 0, 1], [1, 3, 2], [1, 1, 4]]), spiral([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), sorted(g), list(map(list, zip(*[[1, 2, 3], [4, 5, 6]]))))
