/** Texts of the page in English: versions. */
export const versions = {
  branch: 'Branch from a step',
  branchTitle: 'Branch this answer',
  branchText:
    'Adds another version. The steps before the one you choose are kept; their tool calls don’t run again.',
  branchSave: 'Branch',
  from: 'Rerun from',
  step: 'Step {step}',
  model: 'Model',
  sameModel: 'Same model',
  prompt: 'System prompt',
  samePrompt: 'Same system prompt',
  tools: 'Tool calls',
  calls: {
    recorded: 'Use recorded results',
    live: 'Run again',
    ask: 'Ask before each call',
  },
  compareShort: 'Compare',
  compare: 'Compare versions',
  compareTitle: 'Compare versions',
  left: 'Version on the left',
  right: 'Version on the right',
  same: 'These versions are identical.',
  different: 'Different',
};
