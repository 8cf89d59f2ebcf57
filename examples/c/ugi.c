/* A UGI bot for ultimate tic-tac-toe: wins a board if it can, blocks the opponent, prefers
   centers and corners.   cc -O2 -o ugi ugi.c */
#include <stdio.h>
#include <string.h>

static const char *LINES[8] = {"abc", "def", "ghi", "adg", "beh", "cfi", "aei", "ceg"};
static char cells[9][9]; /* board, then cell, in reading order: 'x', 'o', or 0 */
static int target;       /* the board to play in, -1 for any */
static char side;        /* whose turn it is */

static int has_line(int board, char mark) {
    for (int i = 0; i < 8; i++) {
        int marks = 0;
        for (int j = 0; j < 3; j++) marks += cells[board][LINES[i][j] - 'a'] == mark;
        if (marks == 3) return 1;
    }
    return 0;
}

static int is_open(int board) {
    return !has_line(board, 'x') && !has_line(board, 'o') && memchr(cells[board], 0, 9);
}

static int completes(int board, int cell, char mark) {
    cells[board][cell] = mark;
    int line = has_line(board, mark);
    cells[board][cell] = 0;
    return line;
}

static int score(int board, int cell) {
    if (completes(board, cell, side)) return 100;
    if (completes(board, cell, side == 'x' ? 'o' : 'x')) return 50;
    return cell == 4 ? 3 : cell % 2 == 0 ? 2 : 1;
}

/* position startpos moves ee ea … */
static void set_position(const char *line) {
    memset(cells, 0, sizeof cells);
    side = 'x';
    target = -1;
    const char *move = strstr(line, " moves ");
    for (move = move ? move + 7 : ""; move[0] >= 'a' && move[0] <= 'i'; move += 3) {
        cells[move[0] - 'a'][move[1] - 'a'] = side;
        side = side == 'x' ? 'o' : 'x';
        target = is_open(move[1] - 'a') ? move[1] - 'a' : -1;
        if (move[2] != ' ') break;
    }
}

static void go(void) {
    int best = -1, best_board = 0, best_cell = 0;
    for (int board = 0; board < 9; board++) {
        if (!is_open(board) || (target >= 0 && board != target)) continue;
        for (int cell = 0; cell < 9; cell++) {
            if (cells[board][cell] || score(board, cell) <= best) continue;
            best = score(board, cell);
            best_board = board;
            best_cell = cell;
        }
    }
    printf("bestmove %c%c\n", 'a' + best_board, 'a' + best_cell);
}

int main(void) {
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "ugi\n", 4))
            printf("id name C by UGI\noption name Variant type combo default ultimate var ultimate\nugiok\n");
        else if (!strncmp(line, "isready", 7))
            printf("readyok\n");
        else if (!strncmp(line, "position", 8))
            set_position(line);
        else if (!strncmp(line, "go", 2))
            go();
        else if (!strncmp(line, "quit", 4))
            break;
        fflush(stdout); /* otherwise output to a pipe is buffered */
    }
    return 0;
}
