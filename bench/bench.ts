/** What one contestant's process prints as its last line: its measurements by name. */
export type Measurements = Record<string, number>;

/** A script that is run in a fresh process for every round and prints its measurements. */
export interface Contestant {
  script: URL;
  args?: string[];
  /** Packages whose versions belong to the result. */
  packages?: string[];
}

/** One measurement that is shown as a row. */
export interface RowSpec {
  what: string;
  unit: string;
  metric: string;
  aims?: Aims;
}

/** The most Cerise should need: of each of the others as a factor, of itself (`cerise`) in the unit. */
export type Aims = Record<string, number>;

/** One situation in which all contestants are measured; `cerise` and `floor` are always there. */
export interface Case {
  /** By this name it can be measured alone. */
  name?: string;
  /** The most rounds that are worth their time. */
  mostRounds?: number;
  contestants: { cerise: Contestant; floor: Contestant } & Record<string, Contestant>;
  rows: RowSpec[];
}

/** A row made of two others: for each contestant, `to` divided by `from`. */
export interface Growth {
  what: string;
  from: string;
  to: string;
}

/** One measured fact of Cerise alone, with the most it should be. */
export interface Fact {
  what: string;
  unit: string;
  value: number;
  aim?: number;
}

export interface Bench {
  cases: Case[];
  growth?: Growth[];
  /** What is measured once and without contestants, under names of their own. */
  alone?: Alone[];
  /** Ends what the benchmark started for all its processes. */
  close?(): Promise<void>;
}

/** Facts of Cerise that can be measured by this name. */
export interface Alone {
  name: string;
  measure(): Promise<Fact[]>;
}

/** A benchmark that has no contestants and reports in its own way. Resolves to the exit code. */
export interface OwnBench {
  run(options: { only: string[]; json: boolean }): Promise<number>;
}

/** What each contestant measured in each round, for one row. */
export interface Samples {
  what: string;
  unit: string;
  rounds: Record<string, number>[];
  aims?: Aims;
}

/** One row of the result. `ratios` says how many times as much Cerise needs as each of the others. */
export interface Row {
  what: string;
  unit: string;
  cerise: number;
  floor: number;
  peers: Record<string, number>;
  ratios: Record<string, number>;
  aims?: Aims;
}
