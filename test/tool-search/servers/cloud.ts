import type { ServerSpec } from '../corpus.ts';

export const cloud: ServerSpec = {
  name: 'aws',
  spelling: 'camel',
  tools: `
run_instances | Launches one or more EC2 virtual machines from an image. | imageId; instanceType; count; subnetId; keyName
stop_instances | Stops running EC2 instances; their disks are kept. | instanceIds
start_instances | Starts stopped EC2 instances. | instanceIds
reboot_instances | Reboots EC2 instances. | instanceIds
terminate_instances | Terminates EC2 instances for good. | instanceIds
describe_instances | Describes EC2 instances with their type, state, addresses and tags. | instanceIds; filters
get_console_output | Gets the boot console output of an instance. | instanceId
create_snapshot | Creates a point-in-time backup of an EBS volume. | volumeId; description
resize_volume | Changes the size or type of an EBS volume. | volumeId; sizeGiB; type
list_objects | Lists the objects of an S3 bucket under a prefix. | bucket; prefix
put_object | Uploads an object to an S3 bucket. | bucket; key; body; contentType
get_object | Downloads an object from an S3 bucket. | bucket; key
delete_object | Deletes an object of an S3 bucket. | bucket; key
presign_url | Makes a temporary link to an S3 object that works without credentials. | bucket; key; expiresIn
invoke_function | Invokes a Lambda function and returns its answer. | functionName; payload; async
update_function_code | Deploys new code to a Lambda function. | functionName; zip
tail_logs | Follows the CloudWatch logs of a service as they come. | logGroup; filterPattern; since
query_logs | Runs a Logs Insights query over log groups. | logGroups; query; start; end
get_metric_data | Returns the data points of CloudWatch metrics. | namespace; metric; start; end; period
get_cost_and_usage | Returns what was spent, by service, account or tag. | start; end; granularity; groupBy
forecast_cost | Forecasts spending for the coming days or months. | start; end
scale_service | Sets how many copies of an ECS service run. | cluster; service; desiredCount
restart_service | Replaces the running tasks of an ECS service by fresh ones. | cluster; service
send_queue_message | Puts a message into an SQS queue. | queueUrl; body; delaySeconds
receive_queue_messages | Takes messages out of an SQS queue. | queueUrl; maxMessages
publish_to_topic | Publishes a notification to an SNS topic. | topicArn; subject; message
rotate_secret | Rotates a secret at once. | secretId
get_secret_value | Reads the value of a secret. | secretId
assume_role | Gets temporary credentials of a role. | roleArn; duration
invalidate_cache | Removes files from the CloudFront cache before they expire. | distributionId; paths
request_certificate | Requests a TLS certificate for a domain. | domainName; validation
change_dns_record | Creates, changes or deletes a DNS record. | zoneId; name; type; value; ttl
`,
  things: `
bucket, buckets | a named place for objects in S3
volume, volumes | a network disk of a machine
machine image, machine images | a template virtual machines start from
key pair, key pairs | an SSH key for virtual machines
security group, security groups | a firewall for virtual machines
subnet, subnets | a part of a private network
vpc, vpcs | a private network
route table, route tables | where packets of a subnet go
nat gateway, nat gateways | the way from a private subnet to the internet
elastic ip, elastic ips | a fixed public address
load balancer, load balancers | what spreads requests over machines
target group, target groups | machines a load balancer sends requests to
auto scaling group, auto scaling groups | machines that grow and shrink in number with the load
launch template, launch templates | the settings new machines start with
lambda layer, lambda layers | code that functions share
event rule, event rules | what is done when something happens or at a time
step function, step functions | a workflow of several steps
container cluster, container clusters | machines that run containers
task definition, task definitions | which containers run together and how
container repository, container repositories | a place for container images
rds database, rds databases | a managed relational database
rds snapshot, rds snapshots | a backup of a relational database
dynamo table, dynamo tables | a table of the key-value database
cache cluster, cache clusters | a managed Redis or Memcached
alarm, alarms | a warning when a metric crosses a line
dashboard, dashboards | a page of charts of metrics
log group, log groups | a place where logs of one source are kept
iam user, iam users | an identity of a person or program
iam role, iam roles | permissions that can be taken on for a time
iam policy, iam policies | a document that says what is allowed
access key, access keys | a key for programs of one identity
hosted zone, hosted zones | the DNS records of a domain
budget, budgets | a limit of spending with a warning
`,
  actions: [
    {
      name: 'describe_{s}',
      description: 'Describes the {s} of a region. Each {} is {is}.',
      parameters: 'region; filters; nextToken',
    },
    {
      name: 'create_{}',
      description: 'Creates a new {} ({is}).',
      parameters: 'region; name; options; tags',
    },
    {
      name: 'modify_{}',
      description: 'Modifies attributes of a {}.',
      parameters: 'region; id: identifier of the {}; attributes',
    },
    {
      name: 'delete_{}',
      description: 'Deletes the specified {}.',
      parameters: 'region; id: identifier of the {}; force',
    },
    {
      name: 'tag_{}',
      description: 'Adds or overwrites tags of a {}.',
      parameters: 'region; id: identifier of the {}; tags',
    },
  ],
};
