# Masks of several axes on arrays whose axes do not lie one behind the other: parts of rows, columns, transposed, reversed.
import numpy as np

whole = np.arange(60).reshape(3, 4, 5)
for view in (whole, whole[:, :, :4], whole[:, :2], whole[:, ::2], whole[::2], whole.transpose(1, 0, 2), whole.transpose(2, 1, 0), whole[:, ::-1, ::2]):
    mask = view % 3 == 0
    print(view[mask].tolist(), view[mask[..., 0]].sum(), view[:, mask[0]].tolist())
    changed = whole.copy()
    part = changed[:, :, :4]
    part[part % 3 == 0] = -1
    print(changed.sum(), (changed < 0).sum())
    copy = np.array(view)
    copy[mask] = 0
    print(copy.tolist() == np.where(mask, 0, view).tolist())
changed = np.arange(24).reshape(4, 6)
turned = changed.T
turned[turned % 5 == 0] = -7
changed[:, 1:4][changed[:, 1:4] % 2 == 0] += 100
print(changed.tolist())
