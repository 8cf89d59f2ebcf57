"""Trains the `ultimate` network on positions from `selfplay` and writes the network file.

    python3 train.py --out ultimate.net games-1.bin games-2.bin …

Needs PyTorch and NumPy; takes minutes on a GPU.
"""

import argparse
import struct

import numpy as np
import torch
from torch import nn

STATES, LINES = 3**9, [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
RECORD = np.dtype([("boards", "<u2", 9), ("target", "u1"), ("value", "<i2"), ("result", "i1")])


def classes():
    """The class of every board state, numbered as in `network.rs`."""
    cells = np.stack([np.arange(STATES) // 3**i % 3 for i in range(9)], 1)
    has = [np.any([(cells[:, line] == mark).all(1) for line in map(list, LINES)], 0) for mark in (1, 2)]
    closed = np.where(has[0], 0, np.where(has[1], 1, np.where((cells != 0).all(1), 2, -1)))
    is_open = closed < 0
    number = np.cumsum(is_open) - 1
    count = int(is_open.sum())
    return np.where(is_open, number, count + closed), count + 3, cells


def symmetries(cells):
    """For each of the eight symmetries: the image of every board state, and the permutation of the places."""
    places = np.arange(9).reshape(3, 3)
    images = [np.rot90(p, k).ravel() for p in (places, places.T) for k in range(4)]
    powers = 3 ** np.arange(9)
    return [((cells[:, image] * powers).sum(1), image) for image in images]


class Net(nn.Module):
    def __init__(self, count, rank, width, hidden):
        super().__init__()
        self.board_factors = nn.Embedding(count, rank)
        self.target_factors = nn.Embedding(count, rank)
        self.places = nn.Parameter(torch.randn(9, rank, width) * 0.05)
        self.target_matrix = nn.Parameter(torch.randn(rank, width) * 0.05)
        self.targets = nn.Parameter(torch.randn(10, width) * 0.05 + 0.3)
        self.hidden = nn.Linear(width, hidden)
        self.output = nn.Linear(hidden, 1)
        nn.init.normal_(self.board_factors.weight, std=0.5)
        nn.init.normal_(self.target_factors.weight, std=0.5)
        nn.init.constant_(self.hidden.bias, 0.3)

    def forward(self, boards, target):
        board_factors = self.board_factors(boards)
        total = torch.einsum("bnr,nrw->bw", board_factors, self.places) + self.targets[target]
        has_target = target < 9
        target_board = boards.gather(1, target.clamp(max=8)[:, None])[:, 0]
        total = total + (self.target_factors(target_board) * has_target[:, None]) @ self.target_matrix
        x = total.clamp(0, 1) + 0.01 * (total - total.clamp(0, 1)) * self.leak
        y = self.hidden(x)
        y = y.clamp(0, 1) + 0.01 * (y - y.clamp(0, 1)) * self.leak
        return self.output(y)[:, 0]

    leak = 1.0


def write(net, path):
    def quantized(weight):
        weight = weight.detach().cpu().numpy()
        scale = np.maximum(np.abs(weight).max(0), 1e-6) / 127
        return scale.astype("<f4").tobytes() + np.round(weight / scale).astype(np.int8).tobytes()

    def floats(tensor):
        return tensor.detach().cpu().numpy().astype("<f4").tobytes()

    with open(path, "wb") as file:
        file.write(b"noughts net v1\n\0")
        file.write(quantized(net.board_factors.weight) + quantized(net.target_factors.weight))
        file.write(floats(net.places) + floats(net.target_matrix) + floats(net.targets))
        file.write(floats(net.hidden.weight) + floats(net.hidden.bias))
        file.write(floats(net.output.weight) + struct.pack("<f", net.output.bias.item()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--steps", type=int, default=12000)
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--hidden", type=int, default=16)
    parser.add_argument("--result", type=float, default=0.3, help="weight of the game result; the rest is the search value")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--no-file", action="store_true")
    options = parser.parse_args()

    torch.manual_seed(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    records = np.concatenate([np.fromfile(path, RECORD) for path in options.games])
    of_state, count, cells = classes()
    move = torch.tensor(np.stack([of_state[image] for image, _ in symmetries(cells)]), device=device)
    place = torch.tensor(np.stack([image for _, image in symmetries(cells)]), device=device)
    # The image of every target; the free move stays.
    where = torch.cat([place.argsort(1), torch.full((8, 1), 9, device=device)], 1)
    boards = torch.tensor(records["boards"].astype(np.int16), device=device)
    target = torch.tensor(records["target"].astype(np.int64), device=device)
    goal = (1 - options.result) * records["value"].astype(np.float32) / 32767 + options.result * records["result"]
    goal = torch.tensor(goal, device=device)
    # The last games are the validation set.
    train = len(records) * 49 // 50
    print(len(records), "positions,", device, flush=True)

    net = Net(count, options.rank, options.width, options.hidden).to(device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, options.rate, options.steps, pct_start=0.05)

    def batch(index, symmetry):
        index_boards = boards[index].long()
        moved = index_boards[:, place[symmetry]]
        return move[symmetry][moved], where[symmetry][target[index]], goal[index]

    def check():
        net.leak = 0.0
        total, n = 0.0, 0
        with torch.no_grad():
            for start in range(train, len(records), options.batch):
                index = torch.arange(start, min(start + options.batch, len(records)), device=device)
                b, t, w = batch(index, 0)
                total += ((torch.tanh(net(b, t) / 2) - w) ** 2).sum().item()
                n += len(index)
        net.leak = 1.0
        return total / n

    for step in range(options.steps):
        index = torch.randint(train, (options.batch,), device=device)
        b, t, w = batch(index, step % 8)
        # The clipped activations leak gradients except late in training.
        net.leak = 1.0 if step < options.steps * 3 // 4 else 0.0
        loss = ((torch.tanh(net(b, t) / 2) - w) ** 2).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        schedule.step()
        if (step + 1) % (options.steps // 6) == 0:
            print(step + 1, "loss", round(loss.item(), 5), "validation", round(check(), 5), flush=True)
    if not options.no_file:
        write(net, options.out)


if __name__ == "__main__":
    main()
