-- Which schema the queues have is the owner's to say: no worker starts without it. Since when a program of before is
-- refused (grants.sql took the worker's writing in pgboss.version away, but for the moments of its rounds).
comment on table pgboss.version is 'Which schema the queues have. Workers write when their rounds were made, nothing else.';
