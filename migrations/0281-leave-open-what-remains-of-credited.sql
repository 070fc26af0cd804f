-- An invoice that is credited in full while something of it remains (a fee, money paid back that never came) is open.
-- functions: sales.settle
select sales.settle(array_agg(id)) from sales.invoices where status = 'credited' and open_ore > 0 having count(*) > 0;
