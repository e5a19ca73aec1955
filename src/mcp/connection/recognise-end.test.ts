import { describe, expect, it } from 'vitest';
import ends from '../../../test/fixtures/server-ends.json' with { type: 'json' };
import typical from '../../../test/fixtures/typical-ends.json' with { type: 'json' };
import type { EndCause } from './end-cause.ts';
import { recogniseEnd } from './recognise-end.ts';

/** What real programs wrote before they ended: recorded, without their paths. */
const recorded = ends as Record<
  string,
  { stderr: string[]; stdout?: string[]; silent?: boolean; args?: string[] }
>;

function reasonOf(name: string, env: Record<string, string> = {}) {
  const { stderr, stdout = [], silent = false, args = [] } = recorded[name] ?? { stderr: [] };
  return recogniseEnd({ output: { stderr, stdout }, silent, config: { args, env } });
}

describe('recogniseEnd', () => {
  it.each<[name: string, line: string, cause: EndCause | undefined]>([
    [
      'airtable-mcp-server@1.14.0',
      'Error: airtable-mcp-server: No API key provided. Set it in the `AIRTABLE_API_KEY` environment variable',
      { kind: 'variable', names: ['AIRTABLE_API_KEY'] },
    ],
    [
      '@apify/actors-mcp-server@0.16.0',
      'ERROR APIFY_TOKEN is required but not set in the environment variables or in ~/.apify/auth.json',
      { kind: 'variable', names: ['APIFY_TOKEN'] },
    ],
    [
      '@azure-devops/mcp@2.10.0',
      "Error: Cannot find module '../build/Release/keytar.node'",
      { kind: 'broken' },
    ],
    [
      '@brave/brave-search-mcp-server@2.1.4',
      'Error: A Brave API key is required via --brave-api-key, BRAVE_API_KEY, --brave-api-key-file, or BRAVE_API_KEY_FILE. You can get one at https://brave.com/search/api/.',
      { kind: 'variable', names: ['BRAVE_API_KEY'] },
    ],
    [
      '@elastic/mcp-server-elasticsearch@0.3.1',
      'Server error: Elasticsearch URL cannot be empty',
      { kind: 'setting' },
    ],
    [
      'figma-developer-mcp@0.13.2',
      '[INFO] StreamableHTTP endpoint available at http://127.0.0.1:3333/mcp',
      { kind: 'address', url: 'http://127.0.0.1:3333/mcp' },
    ],
    [
      '@heroku/mcp-server@1.2.8',
      "Fatal error in main(): Cannot find module '/srv/node_modules/@modelcontextprotocol/sdk/dist/esm/server/mcp' imported from /srv/node_modules/@heroku/mcp-server/dist/index.js",
      { kind: 'broken' },
    ],
    [
      '@hubspot/mcp-server@0.4.0',
      'Error: HubSpot access token is required. Set PRIVATE_APP_ACCESS_TOKEN in your environment variables and retry.',
      { kind: 'variable', names: ['PRIVATE_APP_ACCESS_TOKEN'] },
    ],
    [
      'linear-mcp-server@0.1.0',
      'LINEAR_API_KEY environment variable is required',
      { kind: 'variable', names: ['LINEAR_API_KEY'] },
    ],
    [
      'mcp-remote@0.15.1',
      'Usage: mcp-remote <https://server-url> [callback-port] [--debug]',
      { kind: 'argument' },
    ],
    [
      '@modelcontextprotocol/server-brave-search@0.6.2',
      'Error: BRAVE_API_KEY environment variable is required',
      { kind: 'variable', names: ['BRAVE_API_KEY'] },
    ],
    [
      '@modelcontextprotocol/server-everart@0.6.2',
      'EVERART_API_KEY environment variable is not set',
      { kind: 'variable', names: ['EVERART_API_KEY'] },
    ],
    [
      '@modelcontextprotocol/server-gitlab@2025.4.25',
      'GITLAB_PERSONAL_ACCESS_TOKEN environment variable is not set',
      { kind: 'variable', names: ['GITLAB_PERSONAL_ACCESS_TOKEN'] },
    ],
    [
      '@modelcontextprotocol/server-google-maps@0.6.2',
      'GOOGLE_MAPS_API_KEY environment variable is not set',
      { kind: 'variable', names: ['GOOGLE_MAPS_API_KEY'] },
    ],
    [
      '@modelcontextprotocol/server-map@2.0.3',
      'MCP server listening on http://localhost:3001/mcp',
      { kind: 'address', url: 'http://localhost:3001/mcp' },
    ],
    [
      '@modelcontextprotocol/server-postgres@0.6.2',
      'Please provide a database URL as a command-line argument',
      { kind: 'argument' },
    ],
    [
      '@modelcontextprotocol/server-redis@2025.4.25',
      '[Redis Error] Error: connect ECONNREFUSED 127.0.0.1:6379',
      { kind: 'service', address: '127.0.0.1:6379' },
    ],
    [
      '@modelcontextprotocol/server-slack@2025.4.25',
      'Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID environment variables',
      { kind: 'variable', names: ['SLACK_BOT_TOKEN', 'SLACK_TEAM_ID'] },
    ],
    [
      'mysql-mcp-server@0.1.4',
      '[Fatal] Failed to initialize MySQL connection: Error: MYSQL_HOST environment variable is required',
      { kind: 'variable', names: ['MYSQL_HOST'] },
    ],
    [
      '@perplexity-ai/mcp-server@1.2.1',
      'Error: PERPLEXITY_API_KEY environment variable is required',
      { kind: 'variable', names: ['PERPLEXITY_API_KEY'] },
    ],
    [
      '@sentry/mcp-server@0.39.0',
      'Error: No access token was provided. Run `sentry-mcp auth login` interactively first, or pass `--access-token` / `SENTRY_ACCESS_TOKEN`.',
      { kind: 'variable', names: ['SENTRY_ACCESS_TOKEN'] },
    ],
    [
      '@stripe/mcp@0.3.3',
      'Stripe API key not provided. Please either pass it as an argument --api-key=$KEY or set the STRIPE_SECRET_KEY environment variable.',
      { kind: 'variable', names: ['STRIPE_SECRET_KEY'] },
    ],
    [
      '@supabase/mcp-server-supabase@0.13.0',
      'Please provide a personal access token (PAT) with the --access-token flag or set the SUPABASE_ACCESS_TOKEN environment variable',
      { kind: 'variable', names: ['SUPABASE_ACCESS_TOKEN'] },
    ],
    [
      'supergateway@4.0.0',
      '[supergateway] Error: You must specify one of --stdio, --sse, or --streamableHttp',
      { kind: 'argument' },
    ],
    [
      'npm e404',
      "The requested resource '@modelcontextprotocol/server-filesytem@*' could not be found or you do not have permission to access it.",
      { kind: 'package', name: '@modelcontextprotocol/server-filesytem' },
    ],
    [
      'npm etarget',
      'No matching version found for @modelcontextprotocol/server-memory@9.9.9.',
      { kind: 'version', spec: '@modelcontextprotocol/server-memory@9.9.9' },
    ],
    [
      'npm refused',
      'FetchError: request to http://127.0.0.1:9/left-pad-xx failed, reason: connect ECONNREFUSED 127.0.0.1:9',
      { kind: 'network' },
    ],
    [
      'npm dns',
      'request to http://registry.invalid/left-pad-xx failed, reason: getaddrinfo ENOTFOUND registry.invalid',
      { kind: 'network' },
    ],
    ['npm tag', 'No match found for version lastest', { kind: 'version', spec: 'lastest' }],
    [
      'npm badname',
      'Invalid tag name "Foo Bar" of package "Foo Bar": Tags may not have any characters that encodeURIComponent encodes.',
      undefined,
    ],
    [
      'node missing-script.js',
      "Error: Cannot find module '/home/me/server/missing-script.js'",
      { kind: 'file', path: '/home/me/server/missing-script.js' },
    ],
    [
      'python3 missing.py',
      "/usr/bin/python3: can't open file '/home/me/missing.py': [Errno 2] No such file or directory",
      { kind: 'file', path: '/home/me/missing.py' },
    ],
    [
      'python3 -m mcp_server_nothing',
      '/usr/bin/python3: No module named mcp_server_nothing',
      { kind: 'file', path: 'mcp_server_nothing' },
    ],
    ['python3 import', "ModuleNotFoundError: No module named 'nothing_here'", { kind: 'broken' }],
    ['python3 KeyError', "KeyError: 'ACME_API_KEY'", { kind: 'variable', names: ['ACME_API_KEY'] }],
    [
      'node EADDRINUSE',
      'Error: listen EADDRINUSE: address already in use :::37139',
      { kind: 'port', port: '37139' },
    ],
    [
      'node EACCES',
      "Error: EACCES: permission denied, open '/etc/acme/config.json'",
      { kind: 'permission', path: '/etc/acme/config.json' },
    ],
    [
      'node spawn ENOENT',
      'Error: spawn uv-nothing ENOENT',
      { kind: 'runtime', program: 'uv-nothing' },
    ],
    [
      'env python9',
      "/usr/bin/env: 'python9': No such file or directory",
      { kind: 'runtime', program: 'python9' },
    ],
    ['sh deno', '/bin/sh: 1: denox: not found', { kind: 'runtime', program: 'denox' }],
    [
      'filesystem bad folder',
      'Error: None of the specified directories are accessible',
      { kind: 'argument' },
    ],
    [
      '@sentry/mcp-server@latest bad option',
      'Error: Invalid argument(s): --no-such-option',
      { kind: 'argument' },
    ],
    [
      '@bytebase/dbhub',
      'ERROR: Database connection configuration is required. Environment variable: export DSN="your-connection-string"',
      { kind: 'variable', names: ['DSN'] },
    ],
    [
      'mcp-mongo-server bad url',
      "Invalid MongoDB connection URL. URL must start with 'mongodb://' or 'mongodb+srv://'",
      { kind: 'setting' },
    ],
    [
      '@launchdarkly/mcp-server',
      'USAGE mcp start [--transport stdio|sse] [--port value]',
      { kind: 'argument' },
    ],
    [
      '@launchdarkly/mcp-server bad option',
      'No command registered for `--no-such-option`',
      { kind: 'argument' },
    ],
    [
      '@21st-dev/magic',
      'No API key found. Old Magic keys were reset - get a fresh key at https://21st.dev/mcp and pass it as API_KEY="..." (or env TWENTY_FIRST_API_KEY / API_KEY_21ST).',
      { kind: 'variable', names: ['TWENTY_FIRST_API_KEY'] },
    ],
    [
      '@brightdata/mcp',
      'Error: Cannot run MCP server without API_TOKEN env',
      { kind: 'variable', names: ['API_TOKEN'] },
    ],
    [
      '@launchdarkly/mcp-server bad flag',
      'No flag registered for --no-such-option',
      { kind: 'argument' },
    ],
    ['playwright bad option', "error: unknown option '--nonsense'", { kind: 'argument' }],
    [
      'docker without a daemon',
      'docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
      { kind: 'daemon' },
    ],
    [
      'uvx unknown package',
      'Because mcp-server-nothing was not found in the package registry and',
      { kind: 'package', name: 'mcp-server-nothing' },
    ],
    [
      'uvx no network',
      'error: Failed to fetch: `https://pypi.org/simple/mcp-server-time/`',
      { kind: 'network' },
    ],
    [
      'docker unknown image',
      "docker: Error response from daemon: pull access denied for acme/nothing, repository does not exist or may require 'docker login'.",
      { kind: 'package', name: 'acme/nothing' },
    ],
    [
      'chrome-devtools-mcp on an old Node',
      'ERROR: `chrome-devtools-mcp` does not support Node v18.20.0. Please upgrade to Node 20.19.0 LTS or a newer LTS.',
      { kind: 'node', wanted: '20.19.0' },
    ],
    [
      'npm old Node',
      'TypeError: webidl.util.markAsUncloneable is not a function',
      { kind: 'node', wanted: '>=22.19.0' },
    ],
    [
      'context7 with a wrong argument',
      'error: too many arguments. Expected 0 arguments but got 1.',
      { kind: 'argument' },
    ],
    [
      'mcp-remote without its server',
      'Connection error: TypeError: fetch failed',
      { kind: 'service' },
    ],
    ['redis with a wrong argument', 'TypeError: Invalid URL', { kind: 'setting' }],
    [
      'stripe without a network',
      'Error: getaddrinfo ENOTFOUND mcp.stripe.com',
      { kind: 'service', address: 'mcp.stripe.com' },
    ],
  ])('reads the end of %s', (name, line, cause) => {
    expect(reasonOf(name)).toEqual({ line, ...(cause && { cause }) });
  });

  it.each(Object.entries(typical))(
    'reads what is typical of: %s',
    (_, { line, cause, ...given }) => {
      const nothing = { stderr: [], stdout: [], silent: false, args: [], command: 'npx' };
      const { stderr, stdout, silent, args, command } = { ...nothing, ...given };
      const config = { command, args, env: {} };
      const ending = { output: { stderr, stdout }, silent, config };
      expect(recogniseEnd(ending)).toEqual({ line, cause });
    },
  );

  it('covers every recording', () => {
    for (const name of Object.keys(recorded)) expect(reasonOf(name).line, name).toBeTruthy();
  });

  it('asks for no variable that is set already', () => {
    const { cause } = reasonOf('linear-mcp-server@0.1.0', { LINEAR_API_KEY: 'wrong' });
    expect(cause).toBeUndefined();
  });

  it('offers an address only of a server that runs', () => {
    const stdout = ['Listening on http://0.0.0.0:3001/mcp'];
    const config = { args: [], env: {} };
    const ending = { output: { stderr: [], stdout }, config };
    expect(recogniseEnd({ ...ending, silent: true }).cause).toEqual({
      kind: 'address',
      url: 'http://127.0.0.1:3001/mcp',
    });
    expect(recogniseEnd(ending).cause).toEqual({ kind: 'text' });
  });

  it('looks for MCP at its usual path where a server prints only its port', () => {
    const at = (line: string) => {
      const output = { stderr: [line], stdout: [] };
      return recogniseEnd({ output, silent: true, config: { args: [], env: {} } }).cause;
    };
    const address = { kind: 'address', url: 'http://127.0.0.1:8080/mcp' };
    expect(at('Server listening on port 8080')).toEqual(address);
    expect(at('listening on :8080')).toEqual(address);
    expect(at('Debugger listens on port 9229 of another')).toBeUndefined();
    expect(at('Started at 20:15:09')).toBeUndefined();
  });

  it('calls no disk full where only watchers run out, and no list of versions an end', () => {
    const end = (stderr: string[]) =>
      recogniseEnd({ output: { stderr, stdout: [] }, config: { args: [], env: {} } });
    expect(
      end(["Error: ENOSPC: System limit for number of file watchers reached, watch '/a'"]).cause,
    ).toBeUndefined();
    const nvm = 'nvm is not compatible with the "npm_config_prefix" environment variable';
    expect(end([nvm, 'Run `unset npm_config_prefix` to unset it.'])).toEqual({ line: nvm });
  });

  it('takes a name that is wrongly encoded as it is', () => {
    const output = { stderr: ['error: GET https://registry.test/%zz - 404'], stdout: [] };
    const { cause } = recogniseEnd({ output, config: { args: [], env: {} } });
    expect(cause).toEqual({ kind: 'package', name: '%zz' });
  });

  it('knows nothing of a server that wrote nothing', () => {
    const output = { stderr: [], stdout: [] };
    expect(recogniseEnd({ output, config: { args: [], env: {} } })).toEqual({});
  });
});
