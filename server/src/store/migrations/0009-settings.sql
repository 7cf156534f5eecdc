-- What a testbed was set to before, by setting; until now BIG TCP's two families alone.
ALTER TABLE snapshots RENAME COLUMN setting TO settings;
UPDATE snapshots SET settings = json_object(
  'big-tcp-ipv4', json(iif(settings ->> '$.ipv4', 'true', 'false')),
  'big-tcp-ipv6', json(iif(settings ->> '$.ipv6', 'true', 'false')),
  'size-limit', NULL,
  'pod-mtu', NULL
);
