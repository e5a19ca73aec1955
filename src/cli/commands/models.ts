import { say } from '#shared/errors/sentence.ts';
import { heads, printJson, printTable } from '../printing/print.ts';
import { withClient } from '../client/with-server.ts';
import { tell } from '../messages/tell.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { commands } from '../usage/commands.ts';
import { readOptions } from '../usage/options.ts';

/** `cerise models` */
export async function models(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { values } = readOptions(argv, commands.models);
  return withClient(settings, io, async (client) => {
    const view = await client.settings.models();
    if (values.json) {
      printJson(io, view);
      return 0;
    }
    const offered = view.models.filter(({ hidden }) => !hidden);
    printTable(
      io,
      [heads.model, heads.name, heads.provider, heads.context],
      offered.map(({ id, name, providerName, capabilities }) => [
        id === view.defaultModel ? `${id} ${tell(say('cli-default')`(default)`)}` : id,
        name,
        providerName,
        capabilities.contextTokens?.toLocaleString('en') ?? '',
      ]),
    );
    return 0;
  });
}
