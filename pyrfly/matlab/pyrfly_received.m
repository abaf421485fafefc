classdef pyrfly_received < handle
%PYRFLY_RECEIVED What a simulator has sent about a vehicle: base of PYRFLY_CLIENT.
%   Rows of numbers by the names of RflySim's PX4MavCtrler: m, m/s, rad, north, east, down.

    properties (SetAccess = protected)
        isPX4Ekf3DFixed = false   % the vehicle knows its position
        isVehicleCrash = false
        isVehicleCrashID = -10    % CopterID of the vehicle that was collided with
        % what the vehicle estimates
        uavTimeStmp = 0           % s, in UDP_Full
        uavAngEular = zeros(1, 3) % roll, pitch, yaw [rad]
        uavPosNED = zeros(1, 3)   % from the take-off point [m]
        uavVelNED = zeros(1, 3)   % m/s
        uavPosGPS = NaN(1, 3)     % deg, deg, m; in UDP_Full
        uavPosGPSHome = zeros(1, 3)
        % the true state, after InitTrueDataLoop
        trueTimeStmp = 0          % s
        trueAngEular = zeros(1, 3)
        trueAngQuatern = [1 0 0 0]
        trueAngRate = zeros(1, 3) % rad/s, forward, right, down
        truePosNED = zeros(1, 3)  % from the map centre [m]
        trueVelNED = zeros(1, 3)
        trueAccB = zeros(1, 3)    % m/s^2, forward, right, down
        truePosGPS = zeros(1, 3)
        trueMotorRPMS = zeros(1, 8)
        trueSimulinkData = zeros(1, 32)  % free outputs of the model
        newest = struct()         % the newest packet of each name, with all its fields
        received = 0              % packets
        dropped = 0               % those that are none of RflySim's of their port
    end

    methods (Access = protected)
        function take(obj, port, packets)
            obj.received = obj.received + numel(packets);
            packets = newest_of(packets);
            for i = 1:numel(packets)
                [name, values] = pyrfly_unpack(port, packets{i});
                if isempty(name)
                    obj.dropped = obj.dropped + 1;
                else
                    obj.newest.(name) = values;
                    obj.take_values(name, values);
                end
            end
        end
    end

    methods (Access = private)
        function take_values(obj, name, values)
            switch name
                case 'outHILStateData'
                    obj.take_estimate(values);
                    obj.uavTimeStmp = values.time_boot_ms / 1000;
                    obj.uavPosGPS = degrees_of(values.GpsPos);
                    obj.isPX4Ekf3DFixed = obj.isPX4Ekf3DFixed || values.ekf_3d_fixed > 0.5;
                    obj.take_crash(values.tg);
                case 'outHILStateShort'
                    obj.take_short(values);
                case {'SOut2Simulator', 'SOut2SimulatorSimpleTime', 'netDataShort'}
                    obj.take_truth(values);
                case 'outCopterStruct'
                    obj.trueSimulinkData = values.outCopterData;
                case 'CopterSimCrash'
                    obj.take_crash(values.TargetID);
            end
        end

        function take_short(obj, values)
            % Take a state, or one of the two notices in its layout.
            packets = pyrfly_packets();
            switch find(values.checksum == packets.outHILStateShort.known)
                case 1
                    obj.take_estimate(values);
                case 2
                    obj.isPX4Ekf3DFixed = true;
                case 3
                    obj.take_crash(values.gpsHome(2));
            end
        end

        function take_estimate(obj, values)
            obj.uavAngEular = values.AngEular;
            obj.uavPosNED = values.localPos;
            obj.uavVelNED = values.localVel;
            obj.uavPosGPSHome = degrees_of(values.gpsHome);
        end

        function take_truth(obj, values)
            obj.trueTimeStmp = values.runnedTime;
            obj.trueVelNED = values.VelE;
            obj.truePosNED = values.PosE;
            obj.trueAngEular = values.AngEuler;
            obj.trueMotorRPMS = values.MotorRPMS;
            if isfield(values, 'PosGpsInt')
                obj.truePosGPS = degrees_of(values.PosGpsInt);
                obj.trueAngQuatern = quaternion_of(values.AngEuler);
            else
                obj.truePosGPS = values.PosGPS;
                obj.trueAngQuatern = values.AngQuatern;
                obj.trueAccB = values.AccB;
                obj.trueAngRate = values.RateB;
            end
        end

        function take_crash(obj, other)
            if other >= 0
                obj.isVehicleCrash = true;
                obj.isVehicleCrashID = other;
            end
        end
    end
end
