import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { isMachineFull } from '#shared/errors/machine-full.ts';
import { systemCode } from '#shared/errors/system-code.ts';

/** What looking for a program needs to know of the machine. */
export interface Machine {
  platform: NodeJS.Platform;
  look(file: string): 'program' | 'not-executable' | 'none';
  read(file: string): string;
}

/** The machine we are on. */
export const thisMachine: Machine = {
  platform: process.platform,
  look(file) {
    if (!isFile(file)) return 'none';
    try {
      accessSync(file, constants.X_OK);
      return 'program';
    } catch {
      return 'not-executable';
    }
  },
  read: (file) => readFileSync(file, 'utf8'),
};

/** A folder on the PATH may be closed to us, or a link that leads nowhere: then there is no program. */
function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (error) {
    if (isMachineFull(error) || systemCode(error) === undefined) throw error;
    return false;
  }
}

/** Where a program is, or the file that has its name but may not be run. */
export type ProgramLookup = { file: string } | { forbidden: string };

/**
 * Looks a bare name up on the PATH as the system would, Windows' endings included. Relative folders
 * on the PATH are left out: what they mean depends on where one stands.
 */
export function findProgram(
  name: string,
  environment: Record<string, string>,
  machine: Machine = thisMachine,
): ProgramLookup | undefined {
  const { delimiter, isAbsolute, join } = machine.platform === 'win32' ? win32 : posix;
  const folders = (variable(environment, 'PATH') ?? '').split(delimiter).filter(isAbsolute);
  let forbidden: string | undefined;
  for (const folder of folders) {
    for (const ending of endings(name, environment, machine)) {
      const file = join(folder, name + ending);
      const seen = machine.look(file);
      if (seen === 'program') return { file };
      if (seen === 'not-executable') forbidden ??= file;
    }
  }
  return forbidden === undefined ? undefined : { forbidden };
}

/** Whether a command names its file itself instead of leaving it to the PATH. */
export function namesFile(command: string, { platform }: Machine = thisMachine): boolean {
  return command.includes('/') || (platform === 'win32' && command.includes('\\'));
}

/** A variable of the environment, whatever case Windows gave its name. */
export function variable(environment: Record<string, string>, name: string): string | undefined {
  if (environment[name] !== undefined) return environment[name];
  const spelling = Object.keys(environment).find((key) => key.toUpperCase() === name);
  return spelling === undefined ? undefined : environment[spelling];
}

function endings(
  name: string,
  environment: Record<string, string>,
  { platform }: Machine,
): readonly string[] {
  if (platform !== 'win32') return [''];
  const extensions = (variable(environment, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const has = extensions.some((ending) => name.toLowerCase().endsWith(ending.toLowerCase()));
  return has ? [''] : extensions;
}
