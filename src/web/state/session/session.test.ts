import { expect, it, vi } from 'vitest';
import { api } from './api.ts';
import { useSession } from './session.ts';

it('shows the sign-in page once the host does not know the browser any more', async () => {
  const statuses = [403, 401];
  vi.stubGlobal('fetch', async () => new Response(null, { status: statuses.shift() ?? 200 }));
  try {
    await expect(api.connection.request('/api/topics')).rejects.toMatchObject({
      code: 'http_error',
    });
    expect(useSession.getState().signedOut).toBe(false);
    await expect(api.connection.request('/api/topics')).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect(useSession.getState().signedOut).toBe(true);
  } finally {
    vi.unstubAllGlobals();
    useSession.setState({ signedOut: false });
  }
});
