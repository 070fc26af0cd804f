-- Until when the receiver has asked for no more (Retry-After); null when it never has.
alter table events.endpoints add column held_until timestamptz;
