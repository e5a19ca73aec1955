/** Names of labels with their values. */
export type Labels = Readonly<Record<string, string>>;

/** The most label sets of one metric: whatever people name their models, there are no more lines than this. */
const maxSeries = 200;

/** The values of one metric, by their labels. */
export class Series {
  readonly name: string;
  readonly #help: string;
  readonly #type: 'counter' | 'gauge';
  readonly #values = new Map<string, number>();

  constructor(name: string, type: 'counter' | 'gauge', help: string) {
    this.name = name;
    this.#type = type;
    this.#help = help;
  }

  add(count: number, labels: Labels = {}): void {
    const key = boundedKey(this.#values, labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + count);
  }

  set(value: number, labels: Labels = {}): void {
    this.#values.set(boundedKey(this.#values, labels), value);
  }

  /** In the text format of Prometheus. */
  write(): string {
    const lines = [...this.#values].map(([labels, value]) => `${this.name}${labels} ${value}\n`);
    return `${heading(this.name, this.#type, this.#help)}${lines.join('')}`;
  }
}

interface Distribution {
  labels: string;
  counts: number[];
  sum: number;
  count: number;
}

/** How values of one metric are spread over buckets, by their labels. */
export class Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #values = new Map<string, Distribution>();

  constructor(name: string, bounds: readonly number[], help: string) {
    this.#name = name;
    this.#bounds = bounds;
    this.#help = help;
  }

  record(value: number, labels: Labels = {}): void {
    const key = boundedKey(this.#values, labels);
    const spread = this.#values.get(key) ?? {
      labels: key.slice(1, -1),
      counts: this.#bounds.map(() => 0),
      sum: 0,
      count: 0,
    };
    this.#values.set(key, spread);
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    if (bucket >= 0) spread.counts[bucket] = (spread.counts[bucket] ?? 0) + 1;
    spread.sum += value;
    spread.count += 1;
  }

  /** In the text format of Prometheus. */
  write(): string {
    const parts = [...this.#values.values()].map((spread) => this.#lines(spread));
    return `${heading(this.#name, 'histogram', this.#help)}${parts.join('')}`;
  }

  #lines({ labels, counts, sum, count }: Distribution): string {
    const name = this.#name;
    const comma = labels === '' ? '' : `${labels},`;
    const own = labels === '' ? '' : `{${labels}}`;
    let below = 0;
    const buckets = this.#bounds.map((bound, place) => {
      below += counts[place] ?? 0;
      return `${name}_bucket{${comma}le="${bound}"} ${below}\n`;
    });
    const all = `${name}_bucket{${comma}le="+Inf"} ${count}\n`;
    return `${buckets.join('')}${all}${name}_sum${own} ${sum}\n${name}_count${own} ${count}\n`;
  }
}

function heading(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

/** Where there are too many already, what is new counts together. */
function boundedKey(values: ReadonlyMap<string, unknown>, labels: Labels): string {
  const key = keyOf(labels);
  if (values.has(key) || values.size < maxSeries) return key;
  return keyOf(Object.fromEntries(Object.keys(labels).map((name) => [name, 'other'])));
}

function keyOf(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const maxLabelChars = 100;

function escaped(value: string): string {
  const short = value.toWellFormed().slice(0, maxLabelChars);
  return short.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
