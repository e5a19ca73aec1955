/** `npm run conformance`: the whole official suite, for our client, `/mcp/SERVER`, a built-in server behind it and its authorization server, once or as often as `--runs` says. */
import { parseArgs } from 'node:util';
import { authorizationScenarios, runAuthorizationPart } from './authorization-suite.ts';
import { builtinParts, runBuiltinPart, runServerPart, serverParts } from './server-suite.ts';
import { runPart, suiteParts } from './suite.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '1' }, part: { type: 'string' } },
});
const all = [
  ...suiteParts.map((part) => ({ ...part, run: () => runPart(part) })),
  ...serverParts.map((part) => ({
    ...part,
    name: `server ${part.name}`,
    run: () => runServerPart(part),
  })),
  ...builtinParts.map((part) => ({
    name: `built-in ${part.name}`,
    required: part.scenarios.length,
    run: () => runBuiltinPart(part),
  })),
  { name: 'authorization', required: authorizationScenarios, run: runAuthorizationPart },
];
const parts = all.filter(({ name }) => values.part === undefined || name === values.part);

for (let round = 1; round <= Number(values.runs); round++) {
  for (const part of parts) {
    const started = performance.now();
    const outcome = await part.run();
    if (!outcome) continue;
    const { scenarios, required } = outcome;
    const failed = scenarios.filter(({ complaints }) => complaints.length > 0);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const passed = scenarios.length - failed.length;
    console.log(
      `${part.name}: ${passed}/${scenarios.length} passed, ${required} of them required (${seconds} s)`,
    );
    for (const { name, complaints } of failed)
      console.log(`  ${name}\n    ${complaints.join('\n    ')}`);
    if (failed.length > 0 || required !== part.required) process.exitCode = 1;
    if (required !== part.required) console.log(`  ${part.required} scenarios should be required`);
  }
}
