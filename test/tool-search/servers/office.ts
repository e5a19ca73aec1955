import type { ServerSpec } from '../corpus.ts';

export const office: ServerSpec = {
  name: '办公助手',
  spelling: 'snake',
  tools: `
send_message | 向指定的人或群聊发送消息，支持文本、图片和卡片。 | receive_id: 接收者; content: 消息内容
recall_message | 撤回已经发出的消息。 | message_id: 消息编号
create_chat | 创建群聊并拉人入群。 | name: 群名称; members: 成员
dissolve_chat | 解散群聊。 | chat_id: 群编号
create_doc | 新建云文档，可用 Markdown 写入正文。 | title: 标题; content: 正文
read_doc | 读取云文档的纯文本内容。 | document_id: 文档编号
search_docs | 按关键词搜索云文档、表格和知识库。 | query: 关键词
share_doc | 给云文档添加协作者或修改权限。 | document_id; member: 协作者; perm: 权限
create_calendar_event | 在日历中创建日程并邀请参与人。 | summary: 主题; start_time: 开始时间; end_time: 结束时间; attendees: 参与人
query_freebusy | 查询同事的忙闲时间。 | user_ids: 同事; time_min; time_max
book_meeting_room | 预订会议室。 | room_id: 会议室; start_time; end_time
start_video_meeting | 发起视频会议并返回入会链接。 | topic: 会议主题
get_meeting_minutes | 获取会议妙记：录音转写和要点总结。 | meeting_id: 会议编号
submit_approval | 提交审批申请，例如报销、采购、用印。 | approval_code: 审批类型; form: 表单
approve_task | 同意一条待审批的任务。 | task_id; comment: 意见
reject_task | 拒绝一条待审批的任务。 | task_id; comment: 理由
apply_leave | 提交请假申请。 | leave_type: 假期类型; start; end; reason: 事由
get_leave_balance | 查询剩余年假和调休天数。 | user_id
clock_in | 打卡上班或下班。 | location: 打卡地点
get_attendance_record | 查询某人的考勤打卡记录。 | user_id; month: 月份
search_contact | 在通讯录里按姓名、部门或手机号查找同事。 | keyword: 关键词
create_reminder | 设置定时提醒。 | time: 时间; content: 内容
weather_query | 查询城市的实时天气和未来几天预报。 | city: 城市
route_driving | 规划驾车路线，返回距离、时间和路况。 | origin: 起点; destination: 终点
route_transit | 规划公交和地铁换乘路线。 | origin: 起点; destination: 终点; city
route_walking | 规划步行路线。 | origin: 起点; destination: 终点
around_search | 搜索附近的餐厅、酒店、加油站等地点。 | location: 坐标; keywords: 关键词; radius: 半径
geocode_address | 把地址转换成经纬度坐标。 | address: 地址
search_train_tickets | 查询火车票余票和票价。 | from: 出发站; to: 到达站; date: 日期
search_flight_tickets | 查询机票航班和价格。 | from: 出发城市; to: 到达城市; date: 日期
book_hotel | 预订酒店房间。 | city: 城市; check_in: 入住日期; check_out: 离店日期
call_taxi | 呼叫网约车。 | from: 上车地点; to: 目的地
track_express | 查询快递物流进度。 | number: 快递单号
order_takeout | 点外卖。 | shop: 店铺; dishes: 菜品
translate_text | 把文本翻译成另一种语言。 | text: 原文; target: 目标语言
ocr_image | 识别图片中的文字。 | image: 图片
summarize_text | 概括长文的要点。 | text: 正文
generate_image | 根据描述生成图片。 | prompt: 描述
stock_quote | 查询股票实时行情。 | code: 股票代码
exchange_rate | 查询汇率并换算货币。 | from: 币种; to: 币种; amount: 金额
issue_invoice | 开具电子发票。 | title: 抬头; tax_no: 税号; amount: 金额
ocr_invoice | 识别发票并提取金额、税号等信息。 | image: 发票照片
`,
  things: `
部门, department | 公司组织架构里的一个团队
员工, employee | 公司的一名在职人员
职位, position | 招聘或任职的岗位
候选人, candidate | 应聘职位的人
面试, interview | 与候选人的一次面谈
入职流程, onboarding | 新员工报到要办的手续
离职流程, offboarding | 员工离开公司要办的手续
合同, contract | 与客户或员工签订的协议
客户, customer | 购买产品的公司或个人
销售线索, lead | 可能成交的潜在客户
商机, opportunity | 正在跟进的一笔生意
报价单, quotation | 给客户的价格清单
订单, order | 客户下的一笔购买
退款单, refund | 把钱退还给客户的申请
发票, invoice | 开给客户的税务凭证
报销单, reimbursement | 员工垫付费用的申请
采购单, purchase | 向供应商购买物品的申请
供应商, supplier | 提供货物或服务的公司
库存, inventory | 仓库里货物的数量
仓库, warehouse | 存放货物的地方
固定资产, asset | 公司的电脑、家具等财物
项目, project | 有目标和期限的一项工作
任务, task | 分配给某人的一件待办
里程碑, milestone | 项目中的重要节点
缺陷, bug | 测试发现的问题
知识库文章, article | 内部共享的说明文字
公告, announcement | 发给全体员工的通知
问卷, survey | 收集大家意见的表单
培训课程, course | 员工学习的内容
工资单, payslip | 员工每月收入的明细
考勤组, attendance_group | 一起排班打卡的人
多维表格, base_table | 可以自定义字段的数据表
`,
  actions: [
    {
      name: 'list_{s}',
      description: '列出所有{}。{}是{is}。',
      parameters: 'page_token; page_size: 每页数量',
    },
    { name: 'get_{s}', description: '查看一个{}的详细信息。', parameters: 'id: {}编号' },
    {
      name: 'create_{s}',
      description: '新建{}，即{is}。',
      parameters: 'name: {}名称; fields: 字段',
    },
    { name: 'update_{s}', description: '修改{}的内容。', parameters: 'id: {}编号; fields: 字段' },
    { name: 'delete_{s}', description: '删除{}，不可恢复。', parameters: 'id: {}编号' },
  ],
};
