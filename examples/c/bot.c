/* A bot for CodinGame's ultimate tic-tac-toe: wins a board if it can, blocks the opponent,
   prefers centers and corners.   cc -O2 -o bot bot.c */
#include <stdio.h>

static int cells[9][9]; /* 1: mine, 2: the opponent's */

/* Would this mark complete a line of its board here? */
static int completes(int row, int col, int mark) {
    int top = row / 3 * 3, left = col / 3 * 3, r = row % 3, c = col % 3;
    int across = 0, down = 0, falling = 0, rising = 0;
    for (int i = 0; i < 3; i++) {
        across += cells[row][left + i] == mark;
        down += cells[top + i][col] == mark;
        falling += cells[top + i][left + i] == mark;
        rising += cells[top + i][left + 2 - i] == mark;
    }
    return across == 2 || down == 2 || (r == c && falling == 2) || (r + c == 2 && rising == 2);
}

static int score(int row, int col) {
    if (completes(row, col, 1)) return 100;
    if (completes(row, col, 2)) return 50;
    if (row % 3 == 1 && col % 3 == 1) return 3;
    return row % 3 != 1 && col % 3 != 1 ? 2 : 1;
}

int main(void) {
    int row, col, count;
    while (scanf("%d %d %d", &row, &col, &count) == 3) {
        if (row >= 0) cells[row][col] = 2;
        int best = -1, best_row = 0, best_col = 0;
        for (int i = 0; i < count; i++) {
            if (scanf("%d %d", &row, &col) != 2) return 1;
            if (score(row, col) > best) {
                best = score(row, col);
                best_row = row;
                best_col = col;
            }
        }
        cells[best_row][best_col] = 1;
        printf("%d %d\n", best_row, best_col);
        fflush(stdout); /* otherwise output to a pipe is buffered */
    }
    return 0;
}
