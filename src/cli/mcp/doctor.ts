import type { Client } from '#client/client.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { DiagnosisView } from '#shared/api/server-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { toWords } from '#shared/errors/sentence.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { showDiagnosis } from './diagnosis-page.ts';
import { readOptions } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { heads, printJson, printTable, stateWords } from '../printing/print.ts';
import { awaitInstalled, withClient, withServer } from '../client/with-server.ts';
import { tell } from '../messages/tell.ts';

/** `quiet`: nothing is told while servers install. */
interface Place {
  client: Client;
  io: Io;
  quiet: boolean;
}

/** `cerise mcp doctor [NAME]`: connects, then explains. Exit code 1 unless it works. */
export async function doctor(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.doctor);
  const [name] = words;
  if (name === undefined)
    return withClient(settings, io, async (client) => {
      const diagnoses = await examineAll({ client, io, quiet: values.json });
      if (values.json) printJson(io, { diagnoses });
      else printDiagnoses(io, diagnoses);
      return diagnoses.some(isBroken) ? 1 : 0;
    });
  return withServer(settings, io, name, async (client, server) => {
    const diagnosis = await examine({ client, io, quiet: values.json }, server);
    if (values.json) printJson(io, diagnosis);
    else showDiagnosis(io, diagnosis);
    return works(diagnosis) ? 0 : 1;
  });
}

/** Every server at once. */
export async function examineAll(place: Place): Promise<DiagnosisView[]> {
  const { servers } = await place.client.servers.list();
  return Promise.all(servers.map((server) => examine(place, server)));
}

/** One row for each server, with what to do about it. */
export function printDiagnoses(io: Io, all: readonly DiagnosisView[]): void {
  printTable(
    io,
    [heads.name, heads.state, heads.transport, heads.protocol, heads.next],
    all.map((each) => [
      each.name,
      stateWords(each.state),
      each.transport.used ?? each.transport.configured,
      each.protocolVersion ?? '',
      works(each) ? '' : nextStep(each),
    ]),
  );
}

/** Those that a person holds back do not count as broken. */
export function isBroken(diagnosis: DiagnosisView): boolean {
  return !works(diagnosis) && diagnosis.state !== 'draft' && diagnosis.state !== 'disabled';
}

/** Whether it is connected and answers. */
function works({ state, ping }: DiagnosisView): boolean {
  return state === 'connected' && !(ping && 'error' in ping);
}

function nextStep({ reason, reasonSaid, hint, hintSaid }: DiagnosisView): string {
  return [toWords(reason ?? '', reasonSaid), toWords(hint, hintSaid)]
    .map((words) => tell(words))
    .join(' ')
    .trim();
}

async function examine(place: Place, { id }: ServerView): Promise<DiagnosisView> {
  const { client } = place;
  try {
    await awaitInstalled(place, await client.servers.act(id, 'connect'));
  } catch (error) {
    // Why it failed is what the diagnosis says.
    if (!(error instanceof CeriseError)) throw error;
  }
  return client.servers.diagnosis(id);
}
