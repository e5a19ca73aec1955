import { stem } from './stem.ts';
import { termsOf } from './words.ts';

/** What a tool does to the world, roughly; enough to keep apart what works on the same thing. */
type Action = 'read' | 'create' | 'change' | 'remove' | 'send' | 'run';

const verbs: Record<Action, string> = {
  read: `get list show read view search find query describe fetch retrieve lookup look info check count
    recall report see browse inspect analyze compare explain summarize download watch monitor detect
    查询 查看 获取 读取 搜索 查找 列出 检索 查一 看看 看一 显示 识别 找到 找一 统计`,
  create: `create add new make insert write generate open register build book schedule draft compose
    upload import record attach start plan order file publish put store save
    创建 新建 添加 新增 建立 生成 预订 提交 上传 设置 写一 建一 加一 发起 申请`,
  change: `update edit change modify set rename move adjust configure turn switch alter assign replace
    resize convert merge mark patch toggle correct increase decrease raise lower extend
    修改 更新 编辑 更改 调整 改成 改为 改一 移动 转换`,
  remove: `delete remove erase drop clear discard trash cancel terminate revoke uninstall kick
    unsubscribe stop end kill close archive dismiss
    删除 移除 清除 取消 删掉 去掉 撤回 解散 撤销`,
  send: `send post publish share forward reply notify invite email message answer respond comment
    发送 发给 推送 分享 通知 邀请 回复 发一`,
  run: `run execute start launch trigger invoke restart rerun reboot play call deploy apply perform
    运行 执行 启动 开始 呼叫 播放`,
};

const actionsOf = new Map<string, Set<Action>>();
for (const [action, words] of Object.entries(verbs) as [Action, string][])
  for (const word of words.trim().split(/\s+/)) {
    const term = stem(word);
    actionsOf.set(term, (actionsOf.get(term) ?? new Set()).add(action));
  }

const questionStart =
  /^\s*(?:what|which|who|whose|where|when|why|how|is|are|was|were|did|does|do|has|have|had|any)\b/i;
const question = /[?？]\s*$|[吗呢什么多少哪谁几]/u;

/** What a request wants done; undefined if it does not say. */
export function wantedActions(request: string): ReadonlySet<Action> | undefined {
  if (questionStart.test(request)) return readOnly;
  return firstVerb(request, false) ?? (question.test(request) ? readOnly : undefined);
}

const readOnly: ReadonlySet<Action> = new Set<Action>(['read']);

/** What a tool does, by the verb in its name, else by the one its description begins with. */
export function offeredActions(toolName: string, lead: string): ReadonlySet<Action> | undefined {
  return firstVerb(toolName, true) ?? firstVerb(lead, false);
}

function firstVerb(text: string, identifier: boolean): ReadonlySet<Action> | undefined {
  for (const term of termsOf(text.slice(0, 100), identifier)) {
    const actions = actionsOf.get(term);
    if (actions) return actions;
  }
  return undefined;
}
