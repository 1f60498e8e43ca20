/**
 * The database's content for the role `app`. It owns the content of its schema, and may write files and run programs of
 * the server. The functions resemble those of applications: some write, one sets its argument, and one runs its
 * argument.
 */
export const batteryFixture = `
CREATE EXTENSION IF NOT EXISTS dblink;
CREATE EXTENSION IF NOT EXISTS tablefunc;
GRANT pg_write_server_files, pg_read_server_files, pg_execute_server_program, pg_signal_backend TO app;
CREATE ROLE other LOGIN PASSWORD 'other-EXAMPLE';
SET ROLE app;
CREATE TABLE public.accounts (id int PRIMARY KEY, owner text);
INSERT INTO public.accounts VALUES (1, 'ada'), (2, 'grace');
GRANT ALL ON public.accounts TO other;
CREATE SEQUENCE public.numbers;
CREATE FUNCTION public.write_row() RETURNS int LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.accounts VALUES (100 + (random() * 1000000)::int, 'written'); RETURN 1; END $$;
CREATE FUNCTION public.write_sql() RETURNS int LANGUAGE sql AS $$ INSERT INTO public.accounts VALUES (100 + (random() * 1000000)::int, 'written') RETURNING 1 $$;
CREATE FUNCTION public.assign(name text, value text) RETURNS text LANGUAGE sql AS $$ SELECT pg_catalog.set_config(name, value, false) $$;
CREATE FUNCTION public.assign_local(name text, value text) RETURNS text LANGUAGE sql AS $$ SELECT pg_catalog.set_config(name, value, true) $$;
CREATE FUNCTION public.run(sql text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN EXECUTE sql; RETURN 1; END $$;
CREATE FUNCTION public.flip_and_write() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_catalog.set_config('transaction_read_only', 'off', true); PERFORM public.write_row(); RETURN 1; END $$;
CREATE PROCEDURE public.commit_and_write() LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_catalog.set_config('default_transaction_read_only', 'off', false); COMMIT; INSERT INTO public.accounts VALUES (100 + (random() * 1000000)::int, 'written'); COMMIT; END $$;
CREATE VIEW public.writing AS SELECT public.write_row() AS id;
CREATE FUNCTION public.write_on(int) RETURNS int LANGUAGE sql AS $$ SELECT public.write_row() $$;
CREATE OPERATOR public.!!! (RIGHTARG = int, FUNCTION = public.write_on);
RESET ROLE;
`;

/** Everything that an attempt could have changed, as one text. For a superuser. */
export const batteryFingerprint = `
SELECT md5(string_agg(part, '|')) FROM (
  SELECT 'rows ' || coalesce(string_agg(a::text, ',' ORDER BY id), '') AS part FROM public.accounts a
  UNION ALL SELECT concat('number ', last_value, is_called) FROM public.numbers
  UNION ALL SELECT 'relations ' || string_agg(concat(relname, relacl, reloptions), ',' ORDER BY relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace
  UNION ALL SELECT 'objects ' || count(*) FROM pg_largeobject_metadata
  UNION ALL SELECT 'bytes ' || count(*) || coalesce(md5(string_agg(data, '' ORDER BY loid, pageno)), '') FROM pg_largeobject
  UNION ALL SELECT 'functions ' || count(*) FROM pg_proc
  UNION ALL SELECT 'schemas ' || count(*) FROM pg_namespace WHERE nspname NOT LIKE 'pg_%temp%'
  UNION ALL SELECT 'roles ' || string_agg(concat(rolname, rolsuper, rolconfig), ',' ORDER BY rolname) FROM pg_roles
  UNION ALL SELECT 'comments ' || count(*) FROM pg_description WHERE objoid >= 16384
  UNION ALL SELECT 'prepared ' || count(*) FROM pg_prepared_xacts
  UNION ALL SELECT 'settings ' || count(*) FROM pg_db_role_setting
  UNION ALL SELECT 'locks ' || count(*) FROM pg_locks WHERE locktype = 'advisory'
) parts`;
