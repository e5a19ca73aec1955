import type { IncomingHttpHeaders } from 'node:http';
import { CeriseError } from '#shared/errors.ts';
import { headerOf } from './http-message.ts';

/** How far a request got before its connection failed. */
export type Reach = 'connecting' | 'sent' | 'answering';

const unreachable: Record<string, [sentence: string, hint: string]> = {
  ECONNREFUSED: [
    'refuses connections',
    'Check that the server is running and that the port is right.',
  ],
  ENOTFOUND: ['is no known host name', 'Check the spelling of the address.'],
  EAI_AGAIN: ['could not be looked up', 'The name service does not answer. Try again.'],
  EHOSTUNREACH: ['cannot be reached from here', 'Check the network, a firewall or a VPN.'],
  ENETUNREACH: ['cannot be reached from here', 'Check the network, a firewall or a VPN.'],
  UND_ERR_CONNECT_TIMEOUT: [
    'did not accept a connection within 10 s',
    'Check the address, the network and firewalls.',
  ],
  ETIMEDOUT: ['did not accept a connection in time', 'Check the network and firewalls.'],
  CERT_HAS_EXPIRED: ['has a certificate that has expired', 'Its owner has to renew it.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'has a certificate for another name',
    'Use the name the certificate was made for.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'has a certificate nobody vouches for',
    'Start Cerise with NODE_EXTRA_CA_CERTS naming the certificate.',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'has a certificate of an unknown authority',
    'Start Cerise with NODE_EXTRA_CA_CERTS naming the authority.',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'has a certificate that cannot be verified',
    'The server has to send the whole chain of certificates.',
  ],
  EPROTO: ['does not speak TLS there', 'Check whether the address must begin with http://.'],
  ERR_SSL_WRONG_VERSION_NUMBER: [
    'does not speak TLS there',
    'Check whether the address must begin with http://.',
  ],
};

/** Gives a failure of the network its meaning. Pure. */
export function classifyNetworkError(error: unknown, host: string, reach: Reach): CeriseError {
  if (error instanceof CeriseError) return error;
  const code = codeOf(error);
  if (reach === 'connecting') {
    const [sentence, hint] = unreachable[code] ?? [
      `cannot be reached${code && ` (${code})`}`,
      'Check that it is running and that its address is right.',
    ];
    return new CeriseError('connection_refused', `${host} ${sentence}.`, { hint, cause: error });
  }
  const when = reach === 'sent' ? 'before it answered' : 'in the middle of its answer';
  const text = error instanceof Error ? error.message : String(error);
  return new CeriseError('connection_lost', `The connection to ${host} ended ${when}.`, {
    hint: `What the network said: ${text.slice(0, 200)}`,
    cause: error,
  });
}

/** Gives an answer that is not a success its meaning. Pure. */
export function classifyStatus(answer: {
  status: number;
  host: string;
  headers: IncomingHttpHeaders;
  /** The start of the body, for the person who has to find out why. */
  text: string;
  /** Else a gateway's failure leaves open whether the request was carried out. */
  repeatable: boolean;
}): CeriseError {
  const { status, host, headers, text, repeatable } = answer;
  const message = `${host} answered with HTTP status ${status}.`;
  if (!repeatable && (status === 502 || status === 504)) {
    const hint = 'A gateway before the server lost it. The request may have been carried out.';
    return new CeriseError('connection_lost', message, { hint, details: { status } });
  }
  const authenticate = headerOf(headers, 'www-authenticate');
  const retryAfter = headerOf(headers, 'retry-after');
  return new CeriseError('http_error', message, {
    hint: statusHint(status, retryAfter),
    details: {
      status,
      ...(authenticate !== undefined && { wwwAuthenticate: authenticate.slice(0, 2000) }),
      ...(retryAfter !== undefined && { retryAfter: retryAfter.slice(0, 50) }),
      ...(text !== '' && { text: text.slice(0, 200) }),
    },
  });
}

function statusHint(status: number, retryAfter: string | undefined): string {
  const seconds = /^\d{1,9}$/.test(retryAfter ?? '');
  const later = seconds ? `Try again after ${retryAfter} s.` : 'Try again later.';
  switch (status) {
    case 401:
      return 'The server wants credentials. Sign in, or check the headers of this server.';
    case 403:
      return 'The server does not permit this with the credentials it got.';
    case 404:
      return 'Nothing is there. Check the path of the address.';
    case 405:
    case 406:
    case 415:
      return 'That address takes no MCP messages. Check its path, or try the SSE type.';
    case 413:
      return 'The message is too large for the server.';
    case 429:
      return `The server has had too many requests. ${later}`;
    case 503:
      return `The server is not available at the moment. ${later}`;
    default:
      return status >= 500
        ? 'The server failed. Look into its own log.'
        : 'Check the address of this server.';
  }
}

/** The system's code of an error, also of one that is wrapped or one of several. */
function codeOf(error: unknown): string {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return '';
}
