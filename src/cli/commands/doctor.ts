import { say, type Sentence, toWords } from '#shared/errors/sentence.ts';
import type { DiagnosisView } from '#shared/api/server-api.ts';
import { connect, type OpenClient } from '../client/connect.ts';
import { examineAll, isBroken, printDiagnoses } from '../mcp/doctor.ts';
import { tell } from '../messages/tell.ts';
import { padded, printJson, printLine } from '../printing/print.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { widthOf } from '../terminal/text-width.ts';
import { commands } from '../usage/commands.ts';
import { readOptions } from '../usage/options.ts';

/** What is found of a host. A problem is a sentence that a person can act on. */
interface Findings {
  version: string;
  node: string;
  url?: string | undefined;
  dataFolder: string;
  database: string;
  problems: string[];
  models: number;
  defaultModel: string;
  servers: DiagnosisView[];
}

/** `cerise doctor`: exit code 1 if something needs attention. */
export async function doctor(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { values } = readOptions(argv, commands.doctor);
  const client = await connect(settings, io);
  try {
    const findings = await find(settings, client, io, values.json);
    if (values.json) printJson(io, findings);
    else show(io, findings);
    const isWell = findings.problems.length === 0 && !findings.servers.some(isBroken);
    return isWell ? 0 : 1;
  } finally {
    await client.close();
  }
}

async function find(
  settings: CliSettings,
  client: OpenClient,
  io: Io,
  quiet: boolean,
): Promise<Findings> {
  const {
    version,
    node,
    database,
    problems = [],
    troubles = [],
  } = await client.settings.about(AbortSignal.timeout(10_000));
  const { models, defaultModel } = await client.settings.models();
  const servers = await examineAll({ client, io, quiet });
  const counted = troubles.map(({ code, count }) =>
    tell(say('cli-trouble')`The log reported ${code} (${count} times).`),
  );
  return {
    version,
    node,
    url: client.url,
    dataFolder: settings.home,
    database: database === 'sqlite' ? 'SQLite' : 'PostgreSQL',
    problems: [...problems.map(({ message }) => message), ...counted, ...unconfined(servers)],
    models: models.filter(({ hidden }) => !hidden).length,
    defaultModel,
    servers,
  };
}

/** Said once, whatever the number of local servers. */
function unconfined(servers: readonly DiagnosisView[]): string[] {
  const sandbox = servers.find((each) => each.sandbox && !each.sandbox.works)?.sandbox;
  return sandbox?.reason === undefined ? [] : [tell(toWords(sandbox.reason, sandbox.reasonSaid))];
}

function show(io: Io, findings: Findings): void {
  const { version, node, url, dataFolder, database, problems, models, defaultModel } = findings;
  const rows: [Sentence, string][] = [
    [say('cli-doctor-version')`Version`, `${version} (Node ${node})`],
    [say('cli-doctor-address')`URL`, url ?? tell(say('cli-doctor-stopped')`not running`)],
    [say('cli-doctor-folder')`Data folder`, dataFolder],
    [say('cli-doctor-database')`Database`, database],
    [
      say('cli-doctor-models')`Models`,
      tell(say('cli-doctor-default')`${models} (default: ${defaultModel})`),
    ],
  ];
  const width = Math.max(...rows.map(([label]) => widthOf(tell(label)))) + 2;
  for (const [label, value] of rows)
    printLine(io, `${padded(tell(label), width)}${terminalLine(value)}`);
  printLine(io, '');
  printDiagnoses(io, findings.servers);
  for (const problem of problems) printLine(io, `\n${terminalLine(problem)}`);
}
