import type { ServerSpec } from '../corpus.ts';

export const data: ServerSpec = {
  name: 'observability',
  spelling: 'snake',
  tools: `
execute_sql | Execute a SQL statement against the PostgreSQL database and return the rows. | sql; parameters; timeout_ms
explain_query | Show the execution plan of a query and what it costs. | sql; analyze
list_tables | List the tables of a schema with their row counts. | schema
describe_table | Show columns, types, keys and indexes of a table. | schema; table
list_schemas | List the schemas of the database. |
suggest_indexes | Suggest indexes for slow queries. | workload
list_slow_queries | List the queries that take the most time. | limit; since
list_active_connections | List open database connections and what they are running. |
kill_query | Terminate a running database query. | pid
vacuum_table | Reclaim space of a table and refresh its statistics. | table
check_database_health | Check cache hits, dead rows, replication lag and disk of the database. |
run_migration | Apply pending schema migrations. | target; dry_run
import_csv | Load a CSV file into a table. | path; table; delimiter
export_query_to_csv | Save the result of a query as CSV. | sql; path
find_error_events | Find recent errors of an application, grouped by cause. | project; query; period
get_error_details | Get stack trace, tags and affected users of an error. | issue_id
resolve_error | Mark an error as fixed. | issue_id; in_release
ignore_error | Silence an error that does not matter. | issue_id; until
find_releases_with_crashes | Compare crash-free sessions between releases. | project
query_prometheus | Run a PromQL query over a range of time. | expr; start; end; step
query_loki_logs | Search log lines with LogQL. | logql; start; end; limit
get_trace | Get all spans of a distributed trace. | trace_id
find_slow_traces | Find requests that took unusually long. | service; min_duration
get_service_map | Show which services call each other. | environment
silence_alert | Mute an alert for some time. | matcher; duration; comment
acknowledge_page | Tell the pager that somebody works on it. | incident_id
who_is_on_call | Show who is on call now. | team
get_uptime | Report the availability of a site. | check_id; period
render_panel | Render a panel of a dashboard as an image. | dashboard_uid; panel_id; from; to
plot_chart | Draw a chart from rows of data. | data; x; y; kind
detect_anomalies | Find unusual points in a time series. | metric; sensitivity
run_notebook | Execute a notebook from top to bottom. | path; parameters
train_model | Train a prediction model on a table. | table; target
`,
  things: `
view, views | a stored query that looks like a table
materialized view, materialized views | a stored query whose rows are kept
index, indexes | what makes looking up rows fast
trigger, triggers | code that runs when rows change
stored procedure, stored procedures | code kept in the database
sequence, sequences | a generator of numbers
extension, extensions | an add-on of the database
database role, database roles | a login or group of the database
replication slot, replication slots | where a replica has got to
backup, backups | a copy of the whole database
partition, partitions | a part of a large table
foreign key, foreign keys | a reference from one table to another
alert rule, alert rules | when somebody is to be warned
contact point, contact points | where alerts are sent
mute timing, mute timings | hours without alerts
grafana dashboard, grafana dashboards | a page of panels
grafana folder, grafana folders | a group of dashboards
data source, data sources | where a dashboard gets its numbers from
annotation, annotations | a mark on a chart at a time
uptime check, uptime checks | a regular test whether a site answers
synthetic test, synthetic tests | a scripted visit of a site
status page, status pages | where customers see what is down
source map, source maps | how minified code leads back to its source
feature flag, feature flags | a switch for a part of the program
experiment, experiments | a test of two versions against each other
data pipeline, data pipelines | steps that bring data from one place to another
pipeline run, pipeline runs | one execution of a data pipeline
dataset, datasets | a described collection of tables
data quality rule, data quality rules | what must hold for a table
service level objective, service level objectives | how reliable a service has to be
log pipeline, log pipelines | how log lines are parsed and kept
api token, api tokens | a key for programs
`,
  actions: [
    {
      name: 'list_{s}',
      description: 'Lists {s}. A {} is {is}.',
      parameters: 'search; limit',
    },
    {
      name: 'get_{}',
      description: 'Returns the definition of a {}.',
      parameters: 'uid: of the {}',
    },
    {
      name: 'create_{}',
      description: 'Creates a {}: {is}.',
      parameters: 'name; definition',
    },
    {
      name: 'update_{}',
      description: 'Updates a {}.',
      parameters: 'uid: of the {}; definition',
    },
    {
      name: 'drop_{}',
      description: 'Drops a {}.',
      parameters: 'uid: of the {}; cascade',
    },
  ],
};
