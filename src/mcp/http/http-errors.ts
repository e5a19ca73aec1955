import type { IncomingHttpHeaders } from 'node:http';
import { CeriseError } from '#shared/errors/errors.ts';
import { fullMachineCodes, outOfFiles } from '#shared/errors/machine-full.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { asSentence } from '#shared/text/text.ts';
import { bodyWords } from './body-words.ts';
import { headerOf } from './http-message.ts';

/** Where a request was when its connection failed. */
export type Stage = 'connecting' | 'sent' | 'answering';

const unreachable: Record<string, [what: Sentence, hint: Sentence]> = {
  ECONNREFUSED: [
    say('net-refused')`refused the connection`,
    say('net-refused-hint')`Check that the server is running and that the port is correct.`,
  ],
  ENOTFOUND: [
    say('net-unknown-host')`isn't a known host name`,
    say('net-unknown-host-hint')`Check the spelling of the URL.`,
  ],
  EAI_AGAIN: [
    say('net-lookup')`couldn't be resolved`,
    say('net-lookup-hint')`The DNS server didn't respond. Try again.`,
  ],
  EHOSTUNREACH: [
    say('net-no-way')`can't be reached from here`,
    say('net-no-way-hint')`Check your network, firewall or VPN.`,
  ],
  ENETUNREACH: [
    say('net-no-way')`can't be reached from here`,
    say('net-no-way-hint')`Check your network, firewall or VPN.`,
  ],
  UND_ERR_CONNECT_TIMEOUT: [
    say('net-connect-10')`didn't accept the connection within 10 s`,
    say('net-connect-10-hint')`Check the URL, your network and firewalls.`,
  ],
  ETIMEDOUT: [
    say('net-connect-time')`didn't accept the connection in time`,
    say('net-connect-time-hint')`Check your network and firewalls.`,
  ],
  CERT_HAS_EXPIRED: [
    say('cert-expired')`has an expired certificate`,
    say('cert-expired-hint')`Its owner needs to renew it.`,
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    say('cert-other-name')`has a certificate for a different name`,
    say('cert-other-name-hint')`Use the name the certificate was issued for.`,
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    say('cert-self-signed')`has a self-signed certificate`,
    say('cert-self-signed-hint')`Start Cerise with NODE_EXTRA_CA_CERTS set to the certificate.`,
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    say('cert-unknown-authority')`has a certificate from an unknown authority`,
    say(
      'cert-unknown-authority-hint',
    )`Start Cerise with NODE_EXTRA_CA_CERTS set to the authority's certificate.`,
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    say('cert-unverifiable')`has a certificate that can't be verified`,
    say('cert-unverifiable-hint')`The server must send the full certificate chain.`,
  ],
  EPROTO: [
    say('no-tls')`doesn't use TLS on this port`,
    say('no-tls-hint')`Check whether the URL should start with http://.`,
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: [
    say('no-tls')`doesn't use TLS on this port`,
    say('no-tls-hint')`Check whether the URL should start with http://.`,
  ],
};

/** Gives a failure of the network its meaning. Pure. */
export function classifyNetworkError(error: unknown, host: string, stage: Stage): CeriseError {
  if (error instanceof CeriseError) return error;
  const code = codeOf(error);
  if (stage === 'connecting') {
    if (fullMachineCodes.has(code)) return outOfFiles('connection_refused', code, error);
    const [what, hint] = unreachable[code] ?? [
      code
        ? say('net-unreachable-code')`can't be reached (${code})`
        : say('net-unreachable')`can't be reached`,
      say('net-check-running')`Check that it's running and that its URL is correct.`,
    ];
    return new CeriseError('connection_refused', say('net-failed')`${host} ${what}.`, {
      hint,
      cause: error,
    });
  }
  const when =
    stage === 'sent'
      ? say('ended-before-answer')`before it responded`
      : say('ended-amid-answer')`while it was responding`;
  const text = error instanceof Error ? error.message : String(error);
  return new CeriseError(
    'connection_lost',
    say('connection-ended')`The connection to ${host} was closed ${when}.`,
    {
      hint: say('network-said')`Network error: ${text.slice(0, 200)}`,
      cause: error,
    },
  );
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
  const words = bodyWords(text)?.replace(new RegExp(`^${status}\\s+(?=\\S)`), '');
  const message = words
    ? say('http-status-words')`${host} responded with HTTP status ${status}: ${asSentence(words)}`
    : say('http-status')`${host} responded with HTTP status ${status}.`;
  if (!repeatable && (status === 502 || status === 504)) {
    const hint = say(
      'gateway-lost',
    )`A gateway lost the connection to the server. The request may have run.`;
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

function statusHint(status: number, retryAfter: string | undefined): Sentence {
  const seconds = /^\d{1,9}$/.exec(retryAfter ?? '')?.[0];
  const later = seconds
    ? say('retry-after')`Try again in ${seconds} s.`
    : say('try-later')`Try again later.`;
  switch (status) {
    case 401:
      return say(
        'status-401',
      )`The server requires credentials. Sign in, or check this server's headers.`;
    case 403:
      return say(
        'status-403',
      )`The server doesn't allow this with the credentials it received. Check this server's headers, or sign in with another account.`;
    case 402:
      return say('status-402')`The service requires payment or another plan.`;
    case 404:
      return say('status-404')`Nothing was found there. Check the path.`;
    case 405:
    case 406:
    case 415:
      return say(
        'status-405',
      )`That URL doesn't accept MCP messages. Check the path, or try the SSE type.`;
    case 413:
      return say('status-413')`The message is too large for the server.`;
    case 429:
      return say('status-429')`The server received too many requests. ${later}`;
    case 503:
      return say('status-503')`The server is temporarily unavailable. ${later}`;
    default:
      return status >= 500
        ? say('status-500')`The server failed. Check its own log.`
        : say('check-address-headers')`Check this server's URL and headers.`;
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
