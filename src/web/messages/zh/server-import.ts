import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: servers from other hosts and for them. */
export const serverImport: Messages['serverImport'] = {
  text: 'JSON、命令、安装链接或 URL',
  textHint:
    '粘贴 Claude、VS Code、Cursor、Cherry Studio 等的配置，完整或片段均可，也可以粘贴“claude mcp add”命令。还可以把文件拖到本页任意位置。',
  file: '选择文件',
  found: '找到 {count} 个服务器：',
  needsAnswers: '填写下面的值后即可查看此服务器的设置。',
  exists: '这个服务器已经存在。',
  twin: '已添加为“{name}”。再次添加会创建另一个服务器。',
  added: '已添加。',
  leftOut: '未导入：{names}',
  noAutoApprove: '它要求工具不经批准直接运行，这一项已忽略。',
  optional: '{label}（选填）',
  questions: '需要填写的值',
  inClear: '以明文保存和显示。',
  sealed: '加密保存，不再显示。',
  nothingRuns: '现在还不会运行：命令需要你批准，远程服务器默认停用。',
  limited: '它的访问范围已受限。可以在它的设置中更改。',
  add: '{count, plural, =0 {添加} other {添加 # 个服务器}}',
  export: '导出',
  withoutSecrets: '格式（不含机密）',
  formats: { cerise: 'Cerise 配置', claude: 'Claude 配置', vscode: 'VS Code 配置' },
};
