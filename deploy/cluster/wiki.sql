-- Run once by Patroni, in a new cluster: the wiki's user and database.
create role coppice login password 'change-this-four';
create database wiki owner coppice;
\connect wiki
create extension pg_trgm;
