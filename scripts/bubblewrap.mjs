import { spawnSync } from 'node:child_process';
import { canInstall, install } from './apt.mjs';

/** Whether bubblewrap is there and can make the namespaces that a sandbox needs. */
export function hasBubblewrap() {
  const namespaces = ['--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts'];
  const mounts = ['--bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];
  const args = [...namespaces, ...mounts, '--', 'true'];
  return spawnSync('bwrap', args, { stdio: 'ignore', timeout: 5000 }).status === 0;
}

/** Installs the package where it can; false where none works then. */
export async function installBubblewrap() {
  if (!canInstall()) return false;
  await install(['bubblewrap']);
  return hasBubblewrap();
}
