-- Lists follow the order of submission, which never changes, so that they can be one with the list of live tasks.
alter table task add column submitted_lsn integer not null default 0;
alter table task add column target text;
alter table task add column ended_by text;
alter table task add column reason text;

update task set
    submitted_lsn = coalesce(json_extract(detail, '$.submitted_lsn'), 0),
    target = json_extract(detail, '$.target'),
    ended_by = json_extract(detail, '$.ended_by'),
    reason = json_extract(detail, '$.reason');

drop index task_by_end;
drop index task_by_state;
drop index task_by_owner;
drop index task_by_parent;
drop index task_by_correlation;

create index task_by_submission on task (tenant, submitted_lsn, task_id);
create index task_by_state on task (tenant, state, submitted_lsn, task_id);
create index task_by_owner on task (tenant, owner, submitted_lsn, task_id) where owner is not null;
create index task_by_submitter on task (tenant, submitter, submitted_lsn, task_id) where submitter is not null;
create index task_by_parent on task (tenant, parent_id, submitted_lsn, task_id) where parent_id is not null;
create index task_by_correlation on task (tenant, correlation_id, submitted_lsn, task_id)
    where correlation_id is not null;
