// Types of the API's JSON, as far as the scripts read it, and of what the page and its scripts
// share. `crates/wire` describes every field.

type Side = "x" | "o";

/** A place on a board: for each level, its index in the board around it, joined by points. */
type Path = string;

/** Columns and rows. */
type Size = [number, number];

/** A text for people by the `id` of the element that it replaces. */
type Parts = Record<string, string>;

/** A game at one moment. */
interface Game {
  id: string;
  variant: string;
  rev: string;
  ply: number;
  side: Side;
  start: string | null;
  moves: string[];
  x: Seat;
  o: Seat;
  choices: Choices;
  paused: boolean;
  speed: number;
  offer: { kind: "draw" | "takeback" | "rematch"; by: Side } | null;
  rated: boolean;
  ending: string | null;
  rematch: string | null;
}

interface Seat {
  kind: "human" | "guest" | "bot" | "invited" | "deleted";
  name: string | null;
  label: string;
}

interface Choices {
  moves: Choice[] | null;
  open: Path[] | null;
  pieces: PieceKind[];
  prompts: Record<string, string>;
}

interface Choice {
  move: string;
  taps: string[];
  lands?: string[];
  sends?: Path;
  lines?: Line[];
}

interface PieceKind {
  target: string;
  label: string;
  side: Side | null;
}

interface Line {
  side: Side;
  places: Path[];
}

/** What a request for a seat contains. */
type SeatRequest =
  | { kind: "human"; name: string | null }
  | { kind: "bot"; name: string }
  | { kind: "invited" };

/** A game as a viewer sees it. */
interface GameView {
  game: Game;
  you: Side[];
  html: Parts;
}

/** What has changed in a view. */
interface GameUpdate {
  game: Partial<Game>;
  you?: Side[];
  moves?: { keep: number; add: string[] };
  html?: Record<string, string | (number | string)[]>;
}

/** A position as the API takes it. */
interface PositionRequest {
  variant: string;
  position?: string;
  moves: string[];
}

/** An action of a player; the other fields depend on `type`. */
interface Action {
  type: string;
  rev?: string;
  move?: string;
  offer?: string;
  paused?: boolean;
  speed?: number;
  side?: string;
  seat?: SeatRequest;
}

/** A message on a game's socket. */
type Message =
  | ({ type: "state"; tag?: string } & GameView)
  | ({ type: "update"; tag?: string } & GameUpdate)
  | { type: "error"; tag?: string; error: ErrorBody; update?: GameUpdate }
  | { type: "shutdown" };

interface ErrorBody {
  kind: string;
  message: string;
}

interface Analysis {
  done: boolean;
  sentence: string;
  note: string | null;
  line: string[];
  html?: Parts;
}

interface ReviewedPosition {
  ply: number;
  move: string | null;
  sentence: string;
  mistake: string | null;
  line: string[];
  progress: number;
  html?: Parts;
}

interface Hint {
  move: string;
  places: Path[];
  sentence: string;
}

interface TablebaseInfo {
  status: "missing" | "building" | "ready" | "none";
  progress: number | null;
  sentence: string;
}

/** The JSON in the page, for the scripts: a game, a new game or an analysis. */
interface InitialState {
  game?: Game;
  you?: Side[];
  new_game?: { variant: string; x: SeatRequest; o: SeatRequest };
  choices?: Choices;
  analysis?: PositionRequest & { starts: boolean };
}

/** What a board needs from the game, the analysis or the example that it shows. */
type Controller = import("./src/board-controller.js").BoardController;

interface Point {
  x: number;
  y: number;
}

interface Box extends Point {
  width: number;
  height: number;
  /** The center. */
  cx: number;
  cy: number;
}

/** Set by startup.js. */
interface Window {
  noughtsTheme?: () => string;
  noughtsReady?: () => void;
}
