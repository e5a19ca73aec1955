import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: servers from other hosts and for them. */
export const serverImport: Messages['serverImport'] = {
  text: 'JSON、安装链接或地址',
  textHint:
    '支持 Claude、VS Code、Cursor、Cherry Studio 等的配置，全部或片段均可，允许注释。也可以把文件拖到本页任意位置。',
  file: '选择文件',
  found: '这段文字里有 {count} 个服务器：',
  needsAnswers: '具体内容取决于你在下面填写的值。',
  exists: '这个服务器已经存在。',
  added: '已添加。',
  noAutoApprove: '它要求工具不经询问直接运行，这一项不会采用。',
  questions: '需要你填写',
  inClear: '会原样保存并显示。',
  sealed: '会加密保存，不会再次显示。',
  nothingRuns: '现在什么都不会运行：命令要等你批准，地址添加后处于停用状态。',
  add: '{count, plural, =0 {添加} other {添加 # 个服务器}}',
  addedMany: '已添加 {count} 个服务器。未经你允许，它们都不会运行。',
  export: '导出',
  withoutSecrets: '不含密钥，导出为',
  formats: { cerise: 'Cerise 配置', claude: 'Claude 配置', vscode: 'VS Code 配置' },
};
