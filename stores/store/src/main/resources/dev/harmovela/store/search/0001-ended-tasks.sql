-- Ended tasks, one row each; `detail` is the whole answer as JSON.
create table task (
    tenant         text    not null,
    task_id        text    not null,
    state          text    not null,
    owner          text,
    submitter      text,
    parent_id      text,
    correlation_id text,
    submitted_at   integer not null,
    ended_at       integer not null,
    lsn            integer not null,
    detail         text    not null,
    primary key (tenant, task_id)
);

create index task_by_end on task (tenant, ended_at, task_id);
create index task_by_state on task (tenant, state, ended_at, task_id);
create index task_by_owner on task (tenant, owner, ended_at, task_id) where owner is not null;
create index task_by_parent on task (tenant, parent_id, ended_at, task_id) where parent_id is not null;
create index task_by_correlation on task (tenant, correlation_id, ended_at, task_id) where correlation_id is not null;
create index task_expiry on task (ended_at);

-- How far the journal is in here.
create table progress (
    only_row    integer primary key check (only_row = 1),
    applied_lsn integer not null
);

insert into progress (only_row, applied_lsn) values (1, 0);
