import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: versions. */
export const versions: Messages['versions'] = {
  branch: '从某个步骤创建分支',
  branchTitle: '为这个回答创建分支',
  branchText: '添加另一个版本。所选步骤之前的步骤会保留，其中的工具调用不会再次运行。',
  branchSave: '创建分支',
  from: '从哪个步骤重新运行',
  step: '步骤 {step}',
  model: '模型',
  sameModel: '相同的模型',
  prompt: '系统提示词',
  samePrompt: '相同的系统提示词',
  tools: '工具调用',
  calls: {
    recorded: '使用已记录的结果',
    live: '重新运行',
    ask: '每次调用前询问',
  },
  compareShort: '比较',
  compare: '比较版本',
  compareTitle: '比较版本',
  left: '左侧版本',
  right: '右侧版本',
  same: '这两个版本完全相同。',
  different: '不同',
};
