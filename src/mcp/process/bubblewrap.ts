import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { say, type Words } from '#shared/errors/sentence.ts';
import { findProgram } from './find-program.ts';

/** The program that confines others, or why there is none, as a sentence. */
export type Bubblewrap = { program: string } | { reason: Words };

const probeMs = 5000;
/** Whoever installs it need not start the host again. */
const forgetMs = 10_000;
const usualFolders = '/usr/bin:/bin:/usr/local/bin';

const probes = new Map<string, Promise<Bubblewrap>>();

/**
 * Bubblewrap, once it has shown that it works here: it may be installed where the kernel, or the container
 * we run in, lets nobody make namespaces. False stands for a machine without it.
 */
export async function lookForBubblewrap(given?: string | false): Promise<Bubblewrap> {
  if (process.platform !== 'linux')
    return { reason: say('sandbox-linux')`The sandbox needs Linux.` };
  const lookup = findProgram('bwrap', { PATH: `${process.env['PATH'] ?? ''}:${usualFolders}` });
  const program = given ?? (lookup && 'file' in lookup ? lookup.file : false);
  if (program === false)
    return { reason: say('sandbox-not-installed')`bubblewrap isn't installed.` };
  const probe = probes.get(program) ?? tryOut(program);
  probes.set(program, probe);
  const state = await probe;
  if ('reason' in state) setTimeout(() => probes.delete(program), forgetMs).unref();
  return state;
}

/** Everything that a confined start asks of the kernel, around a program that is surely there: itself. */
async function tryOut(program: string): Promise<Bubblewrap> {
  const namespaces = ['--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts'];
  const mounts = ['--bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'];
  const args = ['--die-with-parent', ...namespaces, ...mounts, '--', program, '--version'];
  try {
    await promisify(execFile)(program, args, { env: {}, cwd: '/', timeout: probeMs });
    return { program };
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    const line = stderr.trim().split('\n').at(-1) || message;
    return { reason: say('sandbox-refused')`bubblewrap doesn't work here: ${line}` };
  }
}
