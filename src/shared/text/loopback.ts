/** Whether a URL leads to this machine itself, by its name or address. */
export function isLoopback({ hostname }: URL): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]')
    return true;
  return /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
