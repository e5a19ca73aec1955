import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nginxVersion, startNginx } from '../fixtures/nginx.ts';
import { startOwnProxy } from './own-proxy.ts';

/**
 * Milliseconds after which the proxy tries an instance again that refused a connection. Whoever restarts
 * instances one by one waits that long before the next; nginx counts whole seconds.
 */
export const leftOutTime = 2_100;

/** The shipped nginx configuration in front of these ports; where there is no nginx, our own proxy. */
export async function startProxy(
  ports: number[],
): Promise<{ url: string; what: string; log: () => string }> {
  const version = nginxVersion();
  if (!version) {
    process.stderr.write('nginx is not installed: a small proxy of our own takes its place.\n');
    return { url: await startOwnProxy(ports), what: 'own', log: () => '' };
  }
  const shipped = readFileSync(join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8');
  const hasty = shipped.replaceAll('fail_timeout=5s', 'fail_timeout=1s');
  return { ...(await startNginx(hasty, ports)), what: `nginx ${version.join('.')}` };
}
